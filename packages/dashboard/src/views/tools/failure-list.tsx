import type { JSX } from 'preact';
import type { CallRecord } from '../../api/api-types.ts';
import { formatDuration } from '../../format/duration.ts';
import { counted } from '../../format/number.ts';
import { inWords } from '../../format/words.ts';
import { Age } from '../../parts/age.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Segmented } from '../../parts/segmented.tsx';
import { toolKey } from './tool-key.ts';

const MOST = 30;

export type Outcome = 'failed' | 'refused' | 'all';

const OUTCOMES = [
  { value: 'failed', label: 'Failed' },
  { value: 'refused', label: 'Refused' },
  { value: 'all', label: 'All' },
] as const;

const NONE: Readonly<Record<Outcome, string>> = {
  failed: 'None of the last calls failed.',
  refused: 'None of the last calls was refused.',
  all: 'None of the last calls failed or was refused.',
};

export interface FailureListProps {
  readonly failures: readonly CallRecord[];
  readonly outcome: Outcome;
  readonly onOutcome: (outcome: Outcome) => void;
  readonly of: string | undefined;
  readonly onAll: () => void;
}

/** The last calls that failed or were refused, each with what the model was told. */
export function FailureList(props: FailureListProps): JSX.Element {
  const { failures, outcome, onOutcome, of, onAll } = props;
  const shown = failures.filter(
    (each) =>
      (of === undefined || toolKey(each) === of) && (outcome === 'all' || each.outcome === outcome),
  );
  return (
    <Panel
      title={of === undefined ? 'Last failures' : `Last failures of ${of}`}
      isFlush
      actions={
        <>
          {of !== undefined && (
            <button type="button" class="text-button" onClick={onAll}>
              All tools
            </button>
          )}
          <Segmented label="Outcome" options={OUTCOMES} value={outcome} onChange={onOutcome} />
        </>
      }
    >
      {shown.length === 0 ? (
        <p class="panel-nothing">{NONE[outcome]}</p>
      ) : (
        <ol class="failures">
          {shown.slice(0, MOST).map((failure) => (
            <Failure key={failure.seq} failure={failure} />
          ))}
        </ol>
      )}
    </Panel>
  );
}

function Failure({ failure }: { readonly failure: CallRecord }): JSX.Element {
  const { at, outcome, message, advice, attempts, duration_ms: ms } = failure;
  const type = outcome === 'refused' ? outcome : (failure.failure_type ?? failure.class ?? outcome);
  return (
    <li class="failure">
      <div class="failure-head">
        <span class={`chip ${outcome === 'refused' ? 'chip-warn' : 'chip-bad'}`}>
          {inWords(type)}
        </span>
        <b class="failure-tool">{toolKey(failure)}</b>
        <span class="failure-at">
          <Age at={at} />
        </span>
      </div>
      {message !== null && message !== undefined && <p class="failure-message">{message}</p>}
      {advice !== null && advice !== undefined && (
        <blockquote class="advice">
          <span class="advice-label">Told the model</span>
          {advice}
        </blockquote>
      )}
      <p class="failure-facts">
        {outcome === 'refused' ? 'Not sent' : counted(attempts, 'attempt')}
        {outcome !== 'refused' && typeof ms === 'number' && `, ${formatDuration(ms)}`}
      </p>
    </li>
  );
}
