import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import type { McpServer } from '../../api/api-types.ts';
import { postJson } from '../../api/ask.ts';
import { Resource, useResource } from '../../api/resource.ts';
import { formatCount } from '../../format/number.ts';
import { Age } from '../../parts/age.tsx';
import { Empty } from '../../parts/message.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Shown, Skeleton } from '../../parts/shown.tsx';
import type { ShownState } from '../../parts/shown-state.ts';
import { StatePill } from '../../parts/state-pill.tsx';
import { ViewPage } from '../../parts/view.tsx';
import { tell } from '../../shell/toasts.ts';

const servers = new Resource<{ readonly servers: readonly McpServer[] }>(() => '/api/v1/servers', {
  staleOn: ['server-changed', 'config-loaded', 'tool-redefined'],
  // The tools of a server are listed after it is connected, which is no event.
  atLeastEveryMs: 5000,
});

/** Servers that are reconnecting on request. */
const busy = signal<ReadonlySet<string>>(new Set());

/** The MCP servers of the gateway. */
export function ServersView(): JSX.Element {
  useResource(servers);
  return (
    <ViewPage title="Servers" intro="MCP servers of this gateway and their states.">
      <Shown of={servers} loading={<Skeleton lines={4} tall />}>
        {({ servers: list }) =>
          list.length === 0 ? (
            <Empty icon="servers" title="No MCP servers">
              Name them under <code>mcp</code> in <code>holdfast.yaml</code>.
            </Empty>
          ) : (
            <Panel title="Servers" isFlush>
              <ServerTable servers={list} />
            </Panel>
          )
        }
      </Shown>
    </ViewPage>
  );
}

function ServerTable({ servers: list }: { readonly servers: readonly McpServer[] }): JSX.Element {
  return (
    <div class="scroll-x" tabIndex={0} role="region" aria-label="Servers">
      <table class="table table-stack">
        <thead>
          <tr>
            <th scope="col">Server</th>
            <th scope="col">State</th>
            <th scope="col">Since</th>
            <th scope="col">Last error</th>
            <th scope="col" class="number">
              Tools
            </th>
            <th scope="col" class="number">
              Reconnects
            </th>
            <th scope="col">
              <span class="unseen">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {list.map((server) => (
            <Row key={server.name} server={server} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ server }: { readonly server: McpServer }): JSX.Element {
  const { name, transport, state, since, last_error: error, tools, reconnects } = server;
  return (
    <tr>
      <th scope="row">
        <code class="code-name">{name}</code> <span class="chip">{transport}</span>
      </th>
      <td data-label="State">
        <StatePill state={PILLS[state]} name={NAMES[state]} />
      </td>
      <td data-label="Since">
        <Age at={since} />
      </td>
      <td data-label="Last error" class="server-error">
        {error === null ? (
          <span class="nothing">none</span>
        ) : (
          <>
            {error.message} <Age at={error.at} />
          </>
        )}
      </td>
      <td data-label="Tools" class="number">
        {formatCount(tools)}
      </td>
      <td data-label="Reconnects" class="number">
        {formatCount(reconnects)}
      </td>
      <td class="server-actions">
        <button
          type="button"
          class="button button-small"
          aria-label={`Reconnect ${name}`}
          title="Ends the connection and makes a new one. Calls that run on it fail."
          disabled={busy.value.has(name)}
          onClick={() => void reconnect(name)}
        >
          Reconnect
        </button>
      </td>
    </tr>
  );
}

/** Reconnects a server, and says how it is after that. */
async function reconnect(name: string): Promise<void> {
  busy.value = new Set([...busy.value, name]);
  try {
    const path = `/api/v1/servers/${encodeURIComponent(name)}/reconnect`;
    const { state, last_error: error } = await postJson<McpServer>(path, {});
    if (state === 'connected') tell(`${name} is connected`);
    else tell(`${name} could not be connected: ${error?.message ?? state}`, true);
  } catch (error) {
    tell(`${name} was not reconnected: ${error instanceof Error ? error.message : ''}`, true);
  }
  busy.value = new Set([...busy.value].filter((each) => each !== name));
  servers.refresh();
}

const NAMES: Readonly<Record<McpServer['state'], string>> = {
  new: 'Not started',
  connecting: 'Connecting',
  connected: 'Connected',
  waiting: 'Lost',
  closed: 'Stopped',
};

const PILLS: Readonly<Record<McpServer['state'], ShownState>> = {
  new: 'half-open',
  connecting: 'half-open',
  connected: 'closed',
  waiting: 'open',
  closed: 'isolated',
};
