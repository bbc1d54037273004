import type { JSX } from 'preact';
import type { Overview, SeriesPoint } from '../../api/api-types.ts';
import { parts } from '../../api/gateway.ts';
import { Sparkline } from '../../chart/sparkline.tsx';
import { Icon } from '../../parts/icon.tsx';
import { linkTo } from '../../shell/read-route.ts';
import { counted, formatCount, formatShare } from '../../format/number.ts';
import { sinceStart } from './since-start.ts';

interface TileProps {
  readonly name: string;
  readonly value: string;
  readonly hint: string;
  /** The same number over time, where it is known. */
  readonly values?: readonly number[];
  readonly tone?: string;
  /** Where it is not: a second number, and where it leads. */
  readonly link?: readonly [text: string, address: string];
}

/** The numbers one asks for first. */
export function Tiles({ overview }: { readonly overview: Overview }): JSX.Element {
  const { totals } = overview;
  const hasTurns = parts.value?.hasModels !== false || totals.turns > 0;
  const hasCalls = parts.value?.hasServers !== false || totals.calls > 0;
  const series = sinceStart(overview);
  // What was refused was never made.
  const ended = Math.max(0, totals.calls + totals.turns - refusals(totals));
  const failed = totals.calls_failed + totals.turns_failed;
  const of = (pick: (point: SeriesPoint) => number): readonly number[] => series.map(pick);
  return (
    <div class="tiles">
      {hasTurns && (
        <Tile
          name="Model turns"
          value={formatCount(totals.turns)}
          hint={`${formatCount(totals.turns_failed)} failed`}
          values={of(({ turns }) => turns)}
          tone="one"
        />
      )}
      {hasCalls && (
        <Tile
          name="Tool calls"
          value={formatCount(totals.calls)}
          hint={`${formatCount(totals.calls_failed)} failed`}
          values={of(({ calls }) => calls)}
          tone="one"
        />
      )}
      <Tile
        name="Failure rate"
        value={ended === 0 ? '–' : formatShare(failed / ended)}
        hint={`${formatCount(totals.timeouts)} timed out`}
        values={of(failureRate)}
        tone="failed"
      />
      <Tile
        name="Refused"
        value={formatCount(refusals(totals))}
        hint={refusedWhat(totals)}
        values={of(refusals)}
        tone="refused"
      />
      <Tile
        name="Repairs"
        value={formatCount(totals.repairs)}
        hint="in model output"
        link={[`${formatCount(totals.unread_calls)} not read`, linkTo('parsing')]}
      />
      <Tile
        name="Advice given"
        value={formatCount(totals.advice)}
        hint="on failing calls"
        link={[`${counted(totals.loops, 'loop')} caught`, linkTo('tools')]}
      />
    </div>
  );
}

type Refused = Pick<SeriesPoint, 'turns_refused' | 'calls_refused'>;

/** Turns and calls that were refused without a request. */
function refusals({ turns_refused: turns, calls_refused: calls }: Refused): number {
  return turns + calls;
}

function refusedWhat({ turns_refused: turns, calls_refused: calls }: Refused): string {
  if (turns === 0 && calls === 0) return 'by open circuits';
  return [turns > 0 && counted(turns, 'turn'), calls > 0 && counted(calls, 'call')]
    .filter(Boolean)
    .join(', ');
}

function failureRate(point: SeriesPoint): number {
  const ended = point.calls + point.turns - refusals(point);
  return ended <= 0 ? 0 : (point.calls_failed + point.turns_failed) / ended;
}

function Tile({ name, value, hint, values, tone = 'one', link }: TileProps): JSX.Element {
  return (
    <section class="tile" aria-label={name}>
      <h2 class="tile-name">{name}</h2>
      <p class="tile-value">{value}</p>
      <p class="tile-hint">{hint}</p>
      {values !== undefined && <Sparkline values={values} tone={tone} />}
      {link !== undefined && (
        <a class="tile-link" href={link[1]}>
          {link[0]} <Icon name="forward" />
        </a>
      )}
    </section>
  );
}
