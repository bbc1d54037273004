import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Circuit } from '../../api/api-types.ts';
import { Resource, useResource } from '../../api/resource.ts';
import { Icon } from '../../parts/icon.tsx';
import { OutcomeStrip, summary } from '../../parts/outcome-strip.tsx';
import { Shown, Skeleton } from '../../parts/shown.tsx';
import { shownState } from '../../parts/shown-state.ts';
import { StatePill } from '../../parts/state-pill.tsx';
import { ViewPage } from '../../parts/view.tsx';
import { linkTo } from '../../shell/read-route.ts';
import { CircuitAction } from './circuit-action.tsx';
import { circuitPath, readCircuitKey } from './circuit-address.ts';
import { CircuitFacts } from './circuit-facts.tsx';
import { CircuitHistory } from './circuit-history.tsx';
import { CIRCUIT_EVENTS } from './circuit-list.ts';
import { OF } from './circuit-table.tsx';
import { HalfOpenIn } from './half-open-in.tsx';
import { LastTransition } from './last-transition.tsx';
import { receiveCircuit } from './received-circuit.ts';
import type { ReceivedCircuit } from './received-circuit.ts';

const asked = signal<'reset' | 'isolate' | undefined>(undefined);

/** One circuit: what it is, why, what led there, and what can be done. */
export function CircuitView({ of: key }: { readonly of: string }): JSX.Element {
  const resource = useMemo(
    () =>
      new Resource<Circuit>(() => circuitPath(key), {
        staleOn: CIRCUIT_EVENTS,
        everyMs: () => 500,
      }),
    [key],
  );
  useResource(resource);
  const circuit = resource.value.value;
  const state = circuit === undefined ? undefined : shownState(circuit);
  return (
    <ViewPage
      title={readCircuitKey(key).name}
      above={
        <a class="back" href={linkTo('circuits')}>
          <Icon name="back" /> Circuits
        </a>
      }
      intro={circuit === undefined ? undefined : OF[circuit.of]}
      actions={
        state !== undefined && (
          <>
            {state !== 'isolated' && (
              <button type="button" class="button" onClick={() => (asked.value = 'isolate')}>
                <Icon name="isolate" /> Isolate
              </button>
            )}
            {state !== 'closed' && (
              <button
                type="button"
                class="button button-main"
                onClick={() => (asked.value = 'reset')}
              >
                <Icon name="reset" /> Reset
              </button>
            )}
          </>
        )
      }
    >
      <Shown of={resource} loading={<Skeleton lines={6} tall />}>
        {(value) => <Detail circuit={receiveCircuit(value)} onChanged={() => resource.refresh()} />}
      </Shown>
    </ViewPage>
  );
}

interface DetailProps {
  readonly circuit: ReceivedCircuit;
  readonly onChanged: () => void;
}

function Detail({ circuit, onChanged }: DetailProps): JSX.Element {
  const state = shownState(circuit);
  const { outcomes } = circuit;
  return (
    <>
      <section class="panel circuit-now" data-state={state} aria-label="State">
        <div>
          <div class="circuit-now-state">
            <StatePill state={state} />
            <HalfOpenIn circuit={circuit} />
          </div>
          <p class="circuit-now-reason">
            <LastTransition circuit={circuit} />
          </p>
        </div>
        <div class="circuit-now-calls">
          <h2 class="panel-title">Last calls</h2>
          <p class="panel-hint">
            {outcomes === '' ? 'None yet.' : `Oldest first: ${summary(outcomes)}.`}
          </p>
          <OutcomeStrip outcomes={outcomes} height={40} />
          <StripLegend />
        </div>
      </section>
      <CircuitHistory history={circuit.history ?? []} />
      <CircuitFacts circuit={circuit} />
      {asked.value !== undefined && (
        <CircuitAction
          kind={asked.value}
          circuit={circuit}
          onClose={() => {
            asked.value = undefined;
            onChanged();
          }}
        />
      )}
    </>
  );
}

function StripLegend(): JSX.Element {
  return (
    <ul class="legend strip-legend" aria-hidden="true">
      {['success', 'failure', 'refused', 'not counted'].map((kind) => (
        <li key={kind} class="legend-item">
          <span class={`legend-mark outcome-${kind.replace('not counted', 'ignored')}`} />
          {kind}
        </li>
      ))}
    </ul>
  );
}
