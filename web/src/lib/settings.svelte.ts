// What a player likes, kept in his browser.
interface Settings {
  theme: 'auto' | 'light' | 'dark';
  sound: boolean;
  labels: boolean;
  /** Whether the table is seen from the north. */
  turned: boolean;
  /** How fast what others do is shown: 0 at once, 1 quickly, 2 so that it can be read. */
  pace: 0 | 1 | 2;
}

const KEY = 'linstock.settings';

function read(): Settings {
  const usual: Settings = { theme: 'auto', sound: false, labels: true, turned: false, pace: 2 };
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

// The player in the north sees the table from his side.
export function turnTable(): void {
  settings.turned = !settings.turned;
  keep();
}

const night = matchMedia('(prefers-color-scheme: dark)');
let system = $state(night.matches);
night.addEventListener('change', () => (system = night.matches));

// Whether the page is dark, by the player's choice or as his system has it.
export const dark = (): boolean =>
  settings.theme === 'dark' || (settings.theme === 'auto' && system);

export function calm(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}

// How what the other side does is shown, by the setting's number.
export const paces = ['at once', 'quickly', 'at leisure'] as const;
