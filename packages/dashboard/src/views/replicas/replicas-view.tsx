import type { JSX } from 'preact';
import type { Replica, Replicas } from '../../api/api-types.ts';
import { Resource, useResource } from '../../api/resource.ts';
import { formatCount } from '../../format/number.ts';
import { Age } from '../../parts/age.tsx';
import { Empty } from '../../parts/message.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Shown, Skeleton } from '../../parts/shown.tsx';
import { ViewPage } from '../../parts/view.tsx';

const replicas = new Resource<Replicas>(() => '/api/v1/replicas', {
  staleOn: [
    'call-ended',
    'circuit-opened',
    'circuit-closed',
    'circuit-half-opened',
    'store-degraded',
    'store-recovered',
  ],
  everyMs: () => 2000,
  // A replica that is gone says nothing.
  atLeastEveryMs: 5000,
});

/** The gateways that share their circuits. */
export function ReplicasView(): JSX.Element {
  useResource(replicas);
  return (
    <ViewPage title="Replicas" intro="Gateways that share their circuits through one store.">
      <Shown of={replicas} loading={<Skeleton lines={4} tall />}>
        {({ store, replicas: list }) =>
          store === null ? (
            <Empty icon="replicas" title="This gateway keeps its circuits to itself">
              Several gateways share them when each names the same store in{' '}
              <code>holdfast.yaml</code>.
            </Empty>
          ) : (
            <>
              <section class="panel store" aria-label="Store">
                <span class={`connection-dot connection-${store.is_degraded ? 'lost' : 'live'}`} />
                <p>
                  <b>{store.kind}</b>{' '}
                  {store.is_degraded
                    ? `cannot be used: each replica goes by its own circuits. ${store.reason ?? ''}`
                    : 'is in use: circuits that open on one replica are open on all.'}
                </p>
              </section>
              <Panel title="Replicas" isFlush>
                <ReplicaTable replicas={list} />
              </Panel>
            </>
          )
        }
      </Shown>
    </ViewPage>
  );
}

function ReplicaTable({ replicas: list }: { readonly replicas: readonly Replica[] }): JSX.Element {
  return (
    <div class="scroll-x" tabIndex={0} role="region" aria-label="Replicas">
      <table class="table table-stack">
        <thead>
          <tr>
            <th scope="col">Replica</th>
            <th scope="col">Started</th>
            <th scope="col">Version</th>
            <th scope="col" class="number">
              Circuits
            </th>
            <th scope="col" class="number">
              Not closed
            </th>
            <th scope="col" class="number">
              Calls
            </th>
            <th scope="col" class="number">
              Failures
            </th>
          </tr>
        </thead>
        <tbody>
          {list.map((replica) => (
            <tr key={replica.id}>
              <th scope="row">
                <code class="code-name">{replica.id}</code>{' '}
                {replica.is_self && <span class="chip chip-accent">this one</span>}
              </th>
              <td data-label="Started">
                <Maybe at={replica.started_at} />
              </td>
              <td data-label="Version">{replica.version ?? '–'}</td>
              <td data-label="Circuits" class="number">
                {count(replica.circuits)}
              </td>
              <td data-label="Not closed" class="number">
                {count(replica.not_closed)}
              </td>
              <td data-label="Calls" class="number">
                {count(replica.calls)}
              </td>
              <td data-label="Failures" class="number">
                {count(replica.failures)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Maybe({ at }: { readonly at: string | null | undefined }): JSX.Element {
  return at === null || at === undefined ? <span class="nothing">–</span> : <Age at={at} />;
}

function count(value: number | null | undefined): string {
  return value === null || value === undefined ? '–' : formatCount(value);
}
