import type { JsonObject, JsonValue } from '@holdfast/core';
import { countOf, listOf, objectOf, textOf } from '../proxy/json/json-fields.ts';
import { CIRCUIT_COLUMNS, circuitRow } from './circuit-row.ts';
import { cutLine } from './cut-line.ts';
import { counted, formatCount, formatDuration } from './format-amount.ts';
import { formatTable } from './format-table.ts';
import type { TableCell } from './format-table.ts';
import type { GatewayStatus } from './read-status.ts';
import { safeLine } from './safe-text.ts';
import type { Styles } from './style.ts';

export interface ScreenOptions {
  readonly width: number;
  /** How many lines there may be. */
  readonly height: number;
  readonly styles: Styles;
}

/** How a gateway is, in lines for a terminal. */
export function statusScreen(
  status: GatewayStatus,
  { width, height, styles }: ScreenOptions,
): readonly string[] {
  const { version, uptime_ms: uptime } = status.status;
  const up = typeof uptime === 'number' ? `, up ${formatDuration(uptime)}` : '';
  const head = [
    `${styles.bold(`Holdfast ${safeLine(textOf(version))}`)} at ${safeLine(status.url)}${up}`,
    ...partsOf(status.status).map((line) => cutLine(line, width)),
    '',
    ...totals(status.overview, width, styles),
    '',
  ];
  return [...head, ...circuits(status.circuits, width, height - head.length, styles)];
}

/** The upstreams, and the servers of tools with what is wrong with them. */
function partsOf(status: JsonObject): readonly string[] {
  const upstreams = listOf(status['upstreams']).map((each) => textOf(objectOf(each)['name']));
  const servers = Object.entries(objectOf(objectOf(status['mcp'])['servers']));
  const missing = servers
    .map(([name, about]) => ({ name, ...objectOf(about) }))
    .filter(({ state }: JsonObject) => state !== 'connected');
  const connected = servers.length - missing.length;
  return [
    ...(upstreams.length === 0 ? [] : [safeLine(`upstreams: ${upstreams.join(', ')}`)]),
    ...reasoningStarts(status),
    ...(servers.length === 0 ? [] : [`servers: ${connected} of ${servers.length} connected`]),
    ...missing.map(({ name, state, reason }: JsonObject) => {
      const why = textOf(reason);
      return safeLine(`  ${textOf(name)}: ${textOf(state)}${why === '' ? '' : `, ${why}`}`);
    }),
  ];
}

/** What was learned of models, the most recently used last. */
function reasoningStarts(status: JsonObject): readonly string[] {
  const learned = listOf(objectOf(status['proxy'])['reasoning_starts']).map((each) => {
    const { upstream, model, starts_in_reasoning: starts, why } = objectOf(each);
    const begins = typeof starts === 'boolean' ? String(starts) : textOf(starts);
    const about = `${textOf(model)} at ${textOf(upstream)}`;
    return safeLine(`${about} starts in reasoning: ${begins} (${textOf(why)})`);
  });
  const left = learned.length - MOST_LEARNED;
  const more = `and ${formatCount(left)} more: holdfast status --json`;
  return left <= 0 ? learned : [...learned.slice(-MOST_LEARNED), more];
}

const MOST_LEARNED = 5;

const TOTALS_COLUMNS = [
  { title: 'LAST 15 MINUTES' },
  { title: 'COUNT', align: 'right' },
  { title: 'FAILED', align: 'right' },
  { title: 'REFUSED', align: 'right' },
  { title: 'P50', align: 'right' },
  { title: 'P95', align: 'right' },
  { title: 'P99', align: 'right' },
] as const;

function totals(overview: JsonObject, width: number, styles: Styles): readonly string[] {
  const counts = objectOf(overview['totals']);
  const latency = objectOf(overview['latency_ms']);
  const count = (key: string): number => countOf(counts[key]) ?? 0;
  const bad = (key: string): TableCell => ({
    text: formatCount(count(key)),
    ...(count(key) > 0 && { style: styles.red }),
  });
  const times = (key: string): readonly TableCell[] => {
    const { p50, p95, p99 } = objectOf(latency[key]);
    return [p50, p95, p99].map((ms) => ({ text: duration(ms) }));
  };
  const rows = [
    [
      { text: 'requests' },
      { text: formatCount(count('turns')) },
      bad('turns_failed'),
      bad('turns_refused'),
      ...times('turns'),
    ],
    [
      { text: 'tool calls' },
      { text: formatCount(count('calls')) },
      bad('calls_failed'),
      bad('calls_refused'),
      ...times('calls'),
    ],
  ];
  const others = [
    counted(count('repairs'), 'repair'),
    counted(count('retries'), 'retry', 'retries'),
    counted(count('timeouts'), 'timeout'),
    `${formatCount(count('advice'))} advised`,
    counted(count('loops'), 'loop'),
    `${formatCount(count('unread_calls'))} unread`,
  ];
  return [
    ...formatTable(TOTALS_COLUMNS, rows, { width, title: styles.dim }),
    styles.dim(cutLine(others.join(', '), width)),
  ];
}

function duration(ms: JsonValue | undefined): string {
  return typeof ms === 'number' ? formatDuration(ms) : '–';
}

function circuits(
  all: readonly JsonObject[],
  width: number,
  height: number,
  styles: Styles,
): readonly string[] {
  if (all.length === 0) return [styles.dim('no circuits yet: each is made by its first call')];
  const notClosed = all.filter(({ state }) => state !== 'closed').length;
  const title = `${counted(all.length, 'circuit')}, ${notClosed === 0 ? 'all closed' : `${notClosed} not closed`}`;
  // The title, the head of the table, and a line for those that do not fit.
  const room = Math.max(1, height - 2);
  const shown = all.length <= room ? all : all.slice(0, Math.max(1, room - 1));
  const rows = shown.map((circuit) => circuitRow(circuit, styles));
  const left = all.length - shown.length;
  return [
    title,
    ...formatTable(CIRCUIT_COLUMNS, rows, { width, title: styles.dim }),
    ...(left === 0 ? [] : [styles.dim(`and ${formatCount(left)} more: holdfast circuits`)]),
  ];
}
