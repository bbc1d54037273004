import type { JSX } from 'preact';
import { isLocked } from '../api/session.ts';
import { CircuitView } from '../views/circuits/circuit-view.tsx';
import { CircuitsView } from '../views/circuits/circuits-view.tsx';
import { OverviewView } from '../views/overview/overview-view.tsx';
import { ParsingView } from '../views/parsing/parsing-view.tsx';
import { ReplicasView } from '../views/replicas/replicas-view.tsx';
import { RequestView } from '../views/requests/request-view.tsx';
import { RequestsView } from '../views/requests/requests-view.tsx';
import { ServersView } from '../views/servers/servers-view.tsx';
import { ToolsView } from '../views/tools/tools-view.tsx';
import { Boundary } from './boundary.tsx';
import { ConnectionBanner } from './connection-banner.tsx';
import { Navigation } from './navigation.tsx';
import { route } from './route.ts';
import type { Route } from './read-route.ts';
import { ToastList } from './toast-list.tsx';
import { TokenPrompt } from './token-prompt.tsx';

export function App(): JSX.Element {
  if (isLocked.value) return <TokenPrompt />;
  const { view, item } = route.value;
  return (
    <div class="app">
      <a class="skip" href="#main" onClick={skip}>
        Skip to the content
      </a>
      <Navigation view={view} />
      <main id="main" class="main" tabIndex={-1}>
        <ConnectionBanner />
        {/* A view that breaks leaves the others alone, and is tried anew when one comes back to it. */}
        <Boundary key={`${view}/${item ?? ''}`}>
          <Shown route={route.value} />
        </Boundary>
      </main>
      <ToastList />
    </div>
  );
}

function Shown({ route: { view, item } }: { readonly route: Route }): JSX.Element {
  switch (view) {
    case 'overview':
      return <OverviewView />;
    case 'circuits':
      return item === undefined ? <CircuitsView /> : <CircuitView of={item} />;
    case 'parsing':
      return <ParsingView />;
    case 'tools':
      return <ToolsView />;
    case 'servers':
      return <ServersView />;
    case 'requests':
      return item === undefined ? <RequestsView /> : <RequestView id={item} />;
    case 'replicas':
      return <ReplicasView />;
  }
}

/** The address says where one is, so it must not become `#main`. */
function skip(event: Event): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}
