import type { JSX } from 'preact';
import type { CircuitState, CircuitTransition } from '../../api/api-types.ts';
import { formatTime } from '../../format/time.ts';
import { capitalised, reasonInWords } from '../../format/words.ts';
import { Panel } from '../../parts/panel.tsx';
import { StatePill } from '../../parts/state-pill.tsx';
import type { ShownState } from '../../parts/shown-state.ts';

/** Every change that is remembered, the newest first. */
export function CircuitHistory({
  history,
}: {
  readonly history: readonly CircuitTransition[];
}): JSX.Element {
  return (
    <Panel title="History" isFlush>
      {history.length === 0 ? (
        <p class="panel-nothing">It has never changed its state.</p>
      ) : (
        <div class="scroll-x" tabIndex={0} role="region" aria-label="History">
          <table class="table table-flow history-table">
            <thead>
              <tr>
                <th scope="col">When</th>
                <th scope="col">From</th>
                <th scope="col">To</th>
                <th scope="col">Why</th>
                <th scope="col">Note</th>
              </tr>
            </thead>
            <tbody>
              {history.toReversed().map(({ at, from, to, reason, note, replica }) => (
                <tr key={`${at} ${to}`}>
                  <th scope="row" class="time">
                    {formatTime(Date.parse(at), Date.now())}
                  </th>
                  <td data-label="From">
                    <StatePill state={STATES[from]} />
                  </td>
                  <td data-label="To">
                    <StatePill state={reason === 'isolated' ? 'isolated' : STATES[to]} />
                  </td>
                  <td data-label="Why">{capitalised(reasonInWords(reason))}</td>
                  <td data-label="Note">{[note, replica].filter(Boolean).join(', ')}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Panel>
  );
}

const STATES: Readonly<Record<CircuitState, ShownState>> = {
  closed: 'closed',
  open: 'open',
  half_open: 'half-open',
};
