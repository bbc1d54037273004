import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { OutcomeStrip } from '../../parts/outcome-strip.tsx';
import { shownState } from '../../parts/shown-state.ts';
import { StatePill } from '../../parts/state-pill.tsx';
import { useMedia } from '../../parts/use-media.ts';
import { useVirtualRows } from '../../parts/use-virtual-rows.ts';
import { linkTo } from '../../shell/read-route.ts';
import { CircuitAction } from './circuit-action.tsx';
import { circuitKey } from './circuit-address.ts';
import { HalfOpenIn } from './half-open-in.tsx';
import { LastTransition } from './last-transition.tsx';
import type { ReceivedCircuit } from './received-circuit.ts';

export type AskedAction = { readonly kind: 'reset' | 'isolate'; readonly circuit: ReceivedCircuit };

/** The question that is asked before something is done. */
const asked = signal<AskedAction | undefined>(undefined);

/** In CSS too: rows have one height, so that those out of sight need not be drawn. */
const ROW_HEIGHT = 60;
const CARD_HEIGHT = 148;

export function CircuitTable({
  circuits,
}: {
  readonly circuits: readonly ReceivedCircuit[];
}): JSX.Element {
  const isNarrow = useMedia('(max-width: 860px)');
  const height = isNarrow ? CARD_HEIGHT : ROW_HEIGHT;
  const { ref, from, to } = useVirtualRows<HTMLTableSectionElement>(circuits.length, height);
  return (
    <>
      {/* The roles are said, as cards on a phone are no table to a browser any more. */}
      <table class="table circuit-table" role="table" aria-rowcount={circuits.length + 1}>
        <caption class="unseen">Circuits, those that need a look first</caption>
        <thead role="rowgroup">
          <tr role="row">
            <th scope="col" role="columnheader">
              Circuit
            </th>
            <th scope="col" role="columnheader">
              State
            </th>
            <th scope="col" role="columnheader">
              Last calls
            </th>
            <th scope="col" role="columnheader">
              Window
            </th>
            <th scope="col" role="columnheader">
              Last change
            </th>
            <th scope="col" role="columnheader">
              <span class="unseen">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody ref={ref} role="rowgroup">
          {from > 0 && <Spacer height={from * height} />}
          {circuits.slice(from, to).map((circuit, at) => (
            <Row key={circuitKey(circuit)} circuit={circuit} index={from + at + 2} />
          ))}
          {to < circuits.length && <Spacer height={(circuits.length - to) * height} />}
        </tbody>
      </table>
      {asked.value !== undefined && (
        <CircuitAction {...asked.value} onClose={() => (asked.value = undefined)} />
      )}
    </>
  );
}

function Spacer({ height }: { readonly height: number }): JSX.Element {
  return (
    <tr aria-hidden="true" class="spacer">
      <td colSpan={6} style={{ height: `${height}px` }} />
    </tr>
  );
}

function Row({
  circuit,
  index,
}: {
  readonly circuit: ReceivedCircuit;
  readonly index: number;
}): JSX.Element {
  const { name, of, window: counts, outcomes } = circuit;
  const state = shownState(circuit);
  return (
    <tr role="row" aria-rowindex={index} class="circuit-row" data-state={state}>
      <th scope="row" role="rowheader" class="circuit-name">
        <a href={linkTo('circuits', circuitKey(circuit))} title={name}>
          {name}
        </a>
        <span class="circuit-of">{OF[of]}</span>
      </th>
      <td role="cell" class="circuit-state">
        <StatePill state={state} />
        <HalfOpenIn circuit={circuit} />
      </td>
      <td role="cell" class="circuit-strip">
        <OutcomeStrip outcomes={outcomes} length={30} />
      </td>
      <td role="cell" class="circuit-window">
        <Window {...counts} />
      </td>
      <td role="cell" class="circuit-reason">
        <LastTransition circuit={circuit} />
      </td>
      <td role="cell" class="circuit-actions">
        {state !== 'closed' && (
          <button
            type="button"
            class="button button-small"
            aria-label={`Reset ${name}`}
            onClick={() => (asked.value = { kind: 'reset', circuit })}
          >
            Reset
          </button>
        )}
        {state !== 'isolated' && (
          <button
            type="button"
            class="button button-small"
            aria-label={`Isolate ${name}`}
            onClick={() => (asked.value = { kind: 'isolate', circuit })}
          >
            Isolate
          </button>
        )}
      </td>
    </tr>
  );
}

export const OF: Readonly<Record<string, string>> = {
  proxy: 'model upstream',
  mcp: 'MCP',
  sidecar: 'agent',
};

function Window({ calls, failures, slow }: ReceivedCircuit['window']): JSX.Element {
  if (calls === 0) return <span class="nothing">no calls</span>;
  return (
    <>
      <span class={failures > 0 ? 'window-failures' : undefined}>{failures} failed</span>
      <span class="window-of">
        of {calls}
        {slow !== null && slow > 0 && `, ${slow} slow`}
      </span>
    </>
  );
}
