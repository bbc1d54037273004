import type { JSX } from 'preact';
import { gateway, parts } from '../api/gateway.ts';
import { useResource } from '../api/resource.ts';
import { capitalised } from '../format/words.ts';
import { Icon } from '../parts/icon.tsx';
import { circuits, notClosed } from '../views/circuits/circuit-list.ts';
import { ConnectionMark } from './connection-mark.tsx';
import { linkTo, VIEWS } from './read-route.ts';
import type { View } from './read-route.ts';
import { ThemeButton } from './theme-button.tsx';

/** At the side, or below on a phone, where a thumb reaches it. */
export function Navigation({ view }: { readonly view: View }): JSX.Element {
  useResource(circuits);
  useResource(gateway);
  return (
    <div class="side">
      <header class="brand">
        <a class="brand-link" href={linkTo('overview')}>
          <svg class="brand-mark" viewBox="0 0 32 32" aria-hidden="true">
            <rect width="32" height="32" rx="8" />
            <path d="M11 8v16M21 8v16M11 16h10" />
          </svg>
          Holdfast
        </a>
        <div class="brand-tools">
          <ThemeButton />
        </div>
      </header>
      <nav class="nav" aria-label="Views">
        {VIEWS.filter(fits).map((each) => (
          <a
            key={each}
            class="nav-link"
            href={linkTo(each)}
            aria-current={each === view ? 'page' : undefined}
          >
            <Icon name={each} />
            <span class="nav-text">{capitalised(each)}</span>
            {each === 'circuits' && <NotClosed />}
          </a>
        ))}
      </nav>
      <footer class="side-foot">
        <ConnectionMark />
        {gateway.value.value !== undefined && (
          <p class="side-gateway" title="What this gateway is called in its history">
            {gateway.value.value.name}
          </p>
        )}
      </footer>
    </div>
  );
}

/** A view of what does not run here would stay empty. Its address leads to it all the same. */
function fits(view: View): boolean {
  if (view === 'requests') return parts.value?.hasModels !== false;
  if (view === 'servers') return parts.value?.hasServers !== false;
  return true;
}

/** How many circuits need a look. */
function NotClosed(): JSX.Element | null {
  const count = notClosed.value;
  if (count === 0) return null;
  return (
    <span class="nav-badge">
      {count}
      <span class="unseen"> not closed</span>
    </span>
  );
}
