// Requests to the server. What goes wrong comes back as a sentence.
import type { Problem, Refusal } from '../api';

export class Said extends Error {
  constructor(
    message: string,
    readonly status: number,
    readonly refusal: Refusal | null = null,
    readonly rev: number | null = null,
  ) {
    super(message);
  }
}

export const LOST =
  'The server does not answer. Your game is safe there; this page tries again by itself.';

export async function ask<T>(
  path: string,
  token?: string,
  body?: unknown,
  method = body === undefined ? 'GET' : 'POST',
): Promise<T> {
  const headers: Record<string, string> = {};
  if (token) headers['authorization'] = `Bearer ${token}`;
  if (body !== undefined) headers['content-type'] = 'application/json';
  let response: Response;
  try {
    response = await fetch(`/api${path}`, {
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
    });
  } catch {
    throw new Said(LOST, 0);
  }
  if (response.ok) return (response.status === 204 ? undefined : await response.json()) as T;
  throw await refused(response);
}

// What an answer that is not the one asked for says.
export async function refused(response: Response): Promise<Said> {
  const problem = (await response.json().catch(() => null)) as Problem | null;
  return new Said(
    problem?.message ?? 'The server gave an answer this page does not know.',
    response.status,
    problem?.refusal ?? null,
    problem?.rev ?? null,
  );
}
