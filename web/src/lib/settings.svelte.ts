// What a player likes, kept in his browser.
interface Settings {
  theme: 'auto' | 'light' | 'dark';
  sound: boolean;
  labels: boolean;
  /** How fast what others do is shown: 0 at once, 1 quickly, 2 so that it can be read. */
  pace: 0 | 1 | 2;
}

const KEY = 'linstock.settings';

function read(): Settings {
  const usual: Settings = { theme: 'auto', sound: false, labels: true, pace: 2 };
  try {
    return { ...usual, ...(JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Settings>) };
  } catch {
    return usual;
  }
}

export const settings = $state(read());

export function keep(): void {
  localStorage.setItem(KEY, JSON.stringify(settings));
  document.documentElement.dataset['theme'] = settings.theme;
}

export function calm(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}

// How what the other side does is shown, by the setting's number.
export const paces = ['at once', 'quickly', 'at leisure'] as const;
