import { useComputed } from '@preact/signals';
import type { JSX } from 'preact';
import { Panel } from '../../parts/panel.tsx';
import { Shown, Skeleton } from '../../parts/shown.tsx';
import { shownState } from '../../parts/shown-state.ts';
import { StatePill } from '../../parts/state-pill.tsx';
import { linkTo } from '../../shell/read-route.ts';
import { circuitKey } from '../circuits/circuit-address.ts';
import { countStates, filterCircuits } from '../circuits/circuit-filter.ts';
import { circuits, receivedCircuits } from '../circuits/circuit-list.ts';
import { HalfOpenIn } from '../circuits/half-open-in.tsx';

const MOST = 6;

/** The circuits that are not closed. That there are none is worth saying, too. */
export function Attention(): JSX.Element {
  const shown = useComputed(() => {
    const all = receivedCircuits.value ?? [];
    const sorted = filterCircuits(all, 'all', '').filter((each) => shownState(each) !== 'closed');
    return { sorted, counts: countStates(all) };
  });
  const { sorted, counts } = shown.value;
  return (
    <Panel
      title="Circuits"
      isFlush
      actions={
        <a class="text-button" href={linkTo('circuits')}>
          All {counts.all}
        </a>
      }
    >
      <Shown of={circuits} loading={<Skeleton lines={3} />}>
        {() =>
          sorted.length === 0 ? (
            <p class="panel-nothing">
              {counts.all === 0
                ? 'None yet: each comes with the first call.'
                : `All ${counts.all} are closed.`}
            </p>
          ) : (
            <ul class="rows">
              {sorted.slice(0, MOST).map((circuit) => (
                <li key={circuitKey(circuit)} class="row-item">
                  <a class="row-name" href={linkTo('circuits', circuitKey(circuit))}>
                    {circuit.name}
                  </a>
                  <span class="row-end">
                    <HalfOpenIn circuit={circuit} />
                    <StatePill state={shownState(circuit)} />
                  </span>
                </li>
              ))}
              {sorted.length > MOST && (
                <li class="row-item row-more">
                  and {sorted.length - MOST} more that are not closed
                </li>
              )}
            </ul>
          )
        }
      </Shown>
    </Panel>
  );
}
