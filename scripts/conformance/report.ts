import type { Difference } from './run-tool-call.ts';
import type { OutcomeTally } from './outcome-tally.ts';
import type { FormatTally, KindTally, Tally } from './tally.ts';

/** How many differences of a group are shown when not all are asked for, and how long each may be. */
const SHOWN = 5;
const WIDTH = 120;

/** The tables and differences of a run, as lines to print. */
export function reportLines(tally: Tally, isVerbose: boolean): string[] {
  return [
    ...(tally.formats.length > 0 ? formatLines(tally.formats) : []),
    ...(tally.kinds.length > 0 ? kindLines(tally.kinds) : []),
    ...(tally.outcomes.length > 0 ? outcomeLines(tally.outcomes) : []),
    ...tally.idle.map(
      ({ source, kind, count, reason }) =>
        `${source} (${kind}, ${count}): not applicable yet: ${reason}`,
    ),
    ...differenceLines([...tally.formats, ...tally.kinds, ...tally.outcomes], isVerbose),
  ];
}

/**
 * The shares that `--min` looks at, in percent: calls read without being told the format, JSON read exactly,
 * failures told with the right parent.
 */
export function passRates(tally: Tally): { readonly name: string; readonly percent: number }[] {
  const calls = total(tally.formats, 'count');
  const binding = tally.kinds.filter(({ isBinding }) => isBinding);
  const values = total(binding, 'count');
  const told = tally.outcomes.filter(({ kind }) => kind === 'outcome');
  const failures = total(told, 'failures');
  return [
    ...(calls === 0
      ? []
      : [{ name: 'calls, untold', percent: (100 * total(tally.formats, 'untold')) / calls }]),
    ...(values === 0
      ? []
      : [{ name: 'JSON, exact', percent: (100 * total(binding, 'exact')) / values }]),
    ...(failures === 0
      ? []
      : [{ name: 'failures, parent', percent: (100 * total(told, 'parents')) / failures }]),
  ];
}

function formatLines(formats: readonly FormatTally[]): string[] {
  const row = (label: readonly string[], group: readonly FormatTally[]): string[] => {
    const supported = group.filter(({ isSupported }) => isSupported);
    const toldOf = total(supported, 'count');
    return [
      ...label,
      String(total(group, 'count')),
      toldOf === 0 ? '-' : share(total(supported, 'told'), toldOf),
      share(total(group, 'untold'), total(group, 'count')),
      share(total(group, 'streamed'), total(group, 'streamedOf')),
      String(total(group, 'excepted')),
    ];
  };
  const sources = [...new Set(formats.map(({ source }) => source))];
  const supported = formats.filter(({ isSupported }) => isSupported);
  const rows = [
    ['source', 'format', 'n', 'told', 'untold', 'stream = whole', 'excepted'],
    ...formats.map((one) => [
      ...row([one.source, one.format], [one]),
      one.isSupported ? '' : 'unsupported',
    ]),
    ...sources.map((source) =>
      row(
        [source, 'all'],
        formats.filter((one) => one.source === source),
      ),
    ),
    ...(supported.length > 0 ? [row(['all', 'supported'], supported)] : []),
    row(['all', 'all'], formats),
  ];
  return [...table(rows), ''];
}

function kindLines(kinds: readonly KindTally[]): string[] {
  const row = (label: readonly string[], group: readonly KindTally[]): string[] => {
    const count = total(group, 'count');
    const counts = [total(group, 'wrong'), total(group, 'refused')].map(String);
    return [...label, String(count), share(total(group, 'exact'), count), ...counts];
  };
  const sources = [...new Set(kinds.map(({ source }) => source))];
  const rows = [
    ['source', 'kind', 'n', 'exact', 'silently wrong', 'refused'],
    ...kinds.map((one) => row([one.source, one.kind], [one])),
    ...sources.map((source) =>
      row(
        [source, 'all'],
        kinds.filter((one) => one.source === source),
      ),
    ),
  ];
  return [...table(rows), ''];
}

function outcomeLines(outcomes: readonly OutcomeTally[]): string[] {
  const rows = [
    ['source', 'kind', 'n', 'failures', 'precision', 'recall', 'parent right', 'type right'],
    ...outcomes.map(({ source, kind, count, failures, hits, falseAlarms, parents, types }) => [
      source,
      kind,
      String(count),
      String(failures),
      ratio(hits, hits + falseAlarms),
      ratio(hits, failures),
      ratio(parents, failures),
      ratio(types, failures),
    ]),
  ];
  return [...table(rows), ''];
}

function ratio(part: number, whole: number): string {
  return whole === 0 ? '-' : (part / whole).toFixed(3);
}

function differenceLines(
  groups: readonly (FormatTally | KindTally | OutcomeTally)[],
  isVerbose: boolean,
): string[] {
  return groups.flatMap((group) => {
    const { differences, source } = group;
    if (differences.length === 0) return [];
    // A stream that differs from the whole is a fault of ours whatever was expected: it comes first.
    const sorted = [
      ...differences.filter(({ what }) => what.includes('streamed')),
      ...differences.filter(({ what }) => !what.includes('streamed')),
    ];
    const shown = isVerbose ? sorted : sorted.slice(0, SHOWN);
    const left = sorted.length - shown.length;
    return [
      '',
      `${source}, ${'format' in group ? group.format : group.kind}:`,
      ...shown.map((one) => `  ${differenceLine(one, isVerbose)}`),
      ...(left > 0 ? [`  and ${left} more (--verbose shows all)`] : []),
    ];
  });
}

function differenceLine({ id, what, expected, got }: Difference, isVerbose: boolean): string {
  const one = asJson(expected);
  const other = asJson(got);
  if (isVerbose) return `${id}: ${what}: expected ${one}, got ${other}`;
  const head = `${lastPart(id)}: ${what}: `;
  const room = Math.max(24, Math.floor((WIDTH - head.length - 'expected , got '.length) / 2));
  const from = Math.max(0, commonLength(one, other) - Math.floor(room / 3));
  return `${head}expected ${cut(one, from, room)}, got ${cut(other, from, room)}`;
}

function asJson(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}

/** The end of a long id, which is the part that differs between neighbours. */
function lastPart(id: string): string {
  return id.length <= 40 ? id : `…${id.slice(-39)}`;
}

function cut(text: string, from: number, room: number): string {
  const start = from > 0 ? '…' : '';
  const rest = start + text.slice(from);
  return rest.length <= room ? rest : `${rest.slice(0, room - 1)}…`;
}

function commonLength(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return at;
}

function share(part: number, whole: number): string {
  if (whole === 0) return '-';
  return `${part} (${((100 * part) / whole).toFixed(1)} %)`;
}

function total<Key extends string>(
  groups: readonly Readonly<Record<Key, number>>[],
  key: Key,
): number {
  return groups.reduce((sum, group) => sum + group[key], 0);
}

/** Columns as wide as their widest cell; all but the first two are numbers and stand to the right. */
function table(rows: readonly (readonly string[])[]): string[] {
  const columns = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column < 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
}
