import { effect, signal } from '@preact/signals';

export type Theme = 'system' | 'light' | 'dark';

const KEY = 'holdfast-theme';
const THEMES: readonly Theme[] = ['system', 'light', 'dark'];

/** What the person chose; `system` follows the machine. */
export const theme = signal<Theme>(readStored());

export function nextTheme(current: Theme): Theme {
  return THEMES[(THEMES.indexOf(current) + 1) % THEMES.length] ?? 'system';
}

/** Shows and keeps what is chosen. */
export function followTheme(): void {
  effect(() => {
    const { documentElement: root } = document;
    if (theme.value === 'system') delete root.dataset['theme'];
    else root.dataset['theme'] = theme.value;
    try {
      localStorage.setItem(KEY, theme.value);
    } catch {
      // Without storage it holds until the page is loaded again.
    }
  });
}

function readStored(): Theme {
  try {
    const stored = localStorage.getItem(KEY);
    return THEMES.find((each) => each === stored) ?? 'system';
  } catch {
    return 'system';
  }
}
