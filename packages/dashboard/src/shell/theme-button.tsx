import type { JSX } from 'preact';
import { Icon } from '../parts/icon.tsx';
import { nextTheme, theme } from './theme.ts';

const ICONS = { system: 'system', light: 'sun', dark: 'moon' } as const;

export function ThemeButton(): JSX.Element {
  const label = `Theme: ${theme.value}. Change to ${nextTheme(theme.value)}`;
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={label}
      title={label}
      onClick={() => (theme.value = nextTheme(theme.value))}
    >
      <Icon name={ICONS[theme.value]} />
    </button>
  );
}
