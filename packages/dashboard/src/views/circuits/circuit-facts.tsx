import type { JSX } from 'preact';
import { formatDuration } from '../../format/duration.ts';
import { formatCount, formatShare } from '../../format/number.ts';
import { inWords } from '../../format/words.ts';
import { Panel } from '../../parts/panel.tsx';
import type { ReceivedCircuit } from './received-circuit.ts';

/** What a circuit counted, and the rules it goes by. */
export function CircuitFacts({ circuit }: { readonly circuit: ReceivedCircuit }): JSX.Element {
  const { window: counts, metrics, consecutive_failures: inARow, settings = {}, fleet } = circuit;
  const share = counts.calls === 0 ? undefined : counts.failures / counts.calls;
  return (
    <div class="columns">
      <Panel title="Counted">
        <dl class="facts">
          <Fact name="Failures in a row" value={formatCount(inARow)} />
          <Fact name="Calls in the window" value={formatCount(counts.calls)} />
          <Fact
            name="Failed in the window"
            value={`${formatCount(counts.failures)}${share === undefined ? '' : ` (${formatShare(share)})`}`}
          />
          {counts.slow !== null && (
            <Fact name="Slow in the window" value={formatCount(counts.slow)} />
          )}
          <Fact name="Calls since the start" value={formatCount(metrics.total_calls)} />
          <Fact name="Succeeded" value={formatCount(metrics.successes)} />
          <Fact name="Failed" value={formatCount(metrics.failures)} />
          <Fact name="Refused" value={formatCount(metrics.rejections)} />
          <Fact name="Not counted" value={formatCount(metrics.ignored)} />
        </dl>
      </Panel>
      <Panel title="Rules">
        <dl class="facts">
          {RULES.filter(([key]) => isShown(settings[key])).map(([key, name]) => (
            <Fact key={key} name={name} value={valueOf(key, settings[key])} />
          ))}
        </dl>
      </Panel>
      {fleet !== null && fleet !== undefined && (
        <Panel title="In the fleet">
          <dl class="facts">
            <Fact name="State" value={inWords(fleet.state)} />
            <Fact name="Calls" value={formatCount(fleet.calls)} />
            <Fact name="Failures" value={formatCount(fleet.failures)} />
            <Fact name="Last changed by" value={fleet.replica ?? '–'} />
            <Fact name="Version" value={String(fleet.version)} />
          </dl>
        </Panel>
      )}
    </div>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string }): JSX.Element {
  return (
    <div class="fact">
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** What one asks of a circuit; the API tells all of its settings. */
const RULES: readonly (readonly [key: string, name: string])[] = [
  ['consecutive_failures', 'Opens after failures in a row'],
  ['failure_ratio', 'Opens at a share of failures'],
  ['slow_call_ratio', 'Opens at a share of slow calls'],
  ['slow_call_ms', 'A call is slow after'],
  ['min_calls', 'Shares count from calls'],
  ['window_ms', 'Window'],
  ['open_for_ms', 'Stays open for'],
  ['probes', 'Probes at a time'],
  ['successes_to_close', 'Closes after successes'],
  ['mode', 'Mode'],
  ['scope', 'Scope'],
];

function isShown(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'string';
}

function valueOf(key: string, value: unknown): string {
  if (typeof value !== 'number') return String(value);
  if (key.endsWith('_ms')) return formatDuration(value);
  return key.endsWith('_ratio') ? formatShare(value) : formatCount(value);
}
