import { signal, useComputed } from '@preact/signals';
import type { JSX } from 'preact';
import { useResource } from '../../api/resource.ts';
import { counted } from '../../format/number.ts';
import { Icon } from '../../parts/icon.tsx';
import { Empty } from '../../parts/message.tsx';
import { Segmented } from '../../parts/segmented.tsx';
import { Shown, Skeleton } from '../../parts/shown.tsx';
import { STATE_NAMES } from '../../parts/shown-state.ts';
import { ViewPage } from '../../parts/view.tsx';
import { countStates, filterCircuits } from './circuit-filter.ts';
import type { StateFilter } from './circuit-filter.ts';
import { circuits, receivedCircuits } from './circuit-list.ts';
import { CircuitTable } from './circuit-table.tsx';

/** Kept while one looks at a circuit and comes back. */
const state = signal<StateFilter>('all');
const search = signal('');

const STATES = ['open', 'half-open', 'isolated', 'closed'] as const;

export function CircuitsView(): JSX.Element {
  useResource(circuits);
  const all = receivedCircuits.value ?? [];
  const found = useComputed(() =>
    filterCircuits(receivedCircuits.value ?? [], state.value, search.value),
  );
  const counts = countStates(all);
  return (
    <ViewPage
      title="Circuits"
      intro="A circuit opens when what it guards keeps failing, refuses calls while it is open, and lets single calls try again after a while."
    >
      <Shown of={circuits} loading={<Skeleton lines={8} tall />}>
        {() =>
          all.length === 0 ? (
            <Empty icon="circuits" title="No circuits yet">
              Each upstream, MCP server and tool gets one with its first call.
            </Empty>
          ) : (
            <>
              <div class="toolbar">
                <label class="search">
                  <span class="unseen">Find circuits by name</span>
                  <Icon name="search" />
                  <input
                    class="input"
                    type="search"
                    placeholder="Find by name"
                    value={search.value}
                    onInput={(event) => (search.value = event.currentTarget.value)}
                  />
                </label>
                <Segmented
                  label="State"
                  value={state.value}
                  onChange={(next) => (state.value = next)}
                  options={[
                    {
                      value: 'all',
                      label: <Option name="All" count={counts.all} />,
                    },
                    ...STATES.map((each) => ({
                      value: each,
                      label: <Option name={STATE_NAMES[each]} count={counts[each]} />,
                    })),
                  ]}
                />
                <p class="unseen" role="status">
                  {counted(found.value.length, 'circuit')} shown
                </p>
              </div>
              {found.value.length === 0 ? (
                <Empty icon="search" title="No circuit fits">
                  <button type="button" class="button" onClick={clearFilter}>
                    Show all {all.length}
                  </button>
                </Empty>
              ) : (
                <CircuitTable circuits={found.value} />
              )}
            </>
          )
        }
      </Shown>
    </ViewPage>
  );
}

function Option({ name, count }: { readonly name: string; readonly count: number }): JSX.Element {
  return (
    <>
      {name} <span class="segment-count">{count}</span>
    </>
  );
}

function clearFilter(): void {
  state.value = 'all';
  search.value = '';
}
