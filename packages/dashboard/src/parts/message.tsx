import type { ComponentChildren, JSX } from 'preact';
import { Icon } from './icon.tsx';
import type { IconName } from './icon.tsx';

export interface MessageProps {
  readonly icon: IconName;
  readonly title: string;
  readonly children?: ComponentChildren;
}

/** Where there is nothing to show: says why, and what would change that. */
export function Empty({ icon, title, children }: MessageProps): JSX.Element {
  return (
    <div class="empty">
      <span class="empty-mark">
        <Icon name={icon} />
      </span>
      <p class="empty-title">{title}</p>
      {children !== undefined && <div class="empty-text">{children}</div>}
    </div>
  );
}
