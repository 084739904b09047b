// The name of a request, by which the server knows it again. Made of random bytes and not by
// `crypto.randomUUID`: that is only there where the page came over HTTPS or from this computer.
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((b) => b.toString(16).padStart(2, '0')).join('');
}
