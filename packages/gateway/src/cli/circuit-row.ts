import type { JsonObject } from '@holdfast/core';
import { countOf, objectOf, textOf } from '../proxy/json/json-fields.ts';
import { formatCount, formatDuration } from './format-amount.ts';
import type { TableCell, TableColumn } from './format-table.ts';
import { safeLine } from './safe-text.ts';
import type { Style, Styles } from './style.ts';

/** What a table of circuits has for columns. */
export const CIRCUIT_COLUMNS: readonly TableColumn[] = [
  { title: 'STATE' },
  { title: 'CIRCUIT', least: 12 },
  { title: 'CALLS', align: 'right' },
  { title: 'FAILED', align: 'right' },
  { title: 'RETRY IN', align: 'right' },
  { title: 'LAST CALLS', least: 10 },
  { title: 'WHY', least: 8 },
];

const LAST_CALLS = 20;
/** Letters that are told apart without colours: a success is nothing to look at. */
const MARKS: Readonly<Record<string, string>> = { s: '.', f: 'x', r: '-', i: '?' };

/** A circuit as the gateway tells it, in a row. */
export function circuitRow(circuit: JsonObject, styles: Styles): readonly TableCell[] {
  const window = objectOf(circuit['window']);
  const failures = countOf(window['failures']) ?? 0;
  return [
    { text: circuitState(circuit), style: circuitStyle(circuit, styles) },
    { text: safeLine(textOf(circuit['name'])), style: styles.bold },
    { text: formatCount(countOf(window['calls']) ?? 0) },
    { text: formatCount(failures), style: failures > 0 ? styles.red : styles.dim },
    { text: retryIn(circuit) },
    { text: lastCalls(circuit, LAST_CALLS), style: styles.dim },
    { text: whyOf(circuit) },
  ];
}

/** Those first that let nothing through, then by name. */
export function compareCircuits(one: JsonObject, other: JsonObject): number {
  const rank = (circuit: JsonObject): number => RANKS.indexOf(circuitState(circuit));
  const byState = rank(one) - rank(other);
  return byState === 0 ? textOf(one['name']).localeCompare(textOf(other['name'])) : byState;
}

const RANKS = ['isolated', 'open', 'half open', 'closed'];

export function circuitState(circuit: JsonObject): string {
  if (circuit['is_isolated'] === true) return 'isolated';
  return safeLine(textOf(circuit['state'])).replace('_', ' ');
}

export function circuitStyle(circuit: JsonObject, { red, yellow, green }: Styles): Style {
  const state = circuitState(circuit);
  if (state === 'closed') return green;
  return state === 'half open' ? yellow : red;
}

/** The last outcomes, oldest first: a dot is a success, x a failure, - a refusal, ? says nothing about the tool. */
export function lastCalls(circuit: JsonObject, most: number): string {
  return Array.from(textOf(circuit['outcomes']))
    .slice(-most)
    .map((outcome) => MARKS[outcome] ?? '?')
    .join('');
}

function retryIn(circuit: JsonObject): string {
  if (circuitState(circuit) === 'closed' || circuit['state'] !== 'open') return '';
  const seconds = circuit['retry_after_seconds'];
  return typeof seconds === 'number' ? formatDuration(seconds * 1000) : 'reset';
}

/** Why it is not closed; of a closed one nobody asks. */
export function whyOf(circuit: JsonObject): string {
  if (circuit['state'] === 'closed') return '';
  const said = [textOf(circuit['reason']), textOf(circuit['note'])];
  return safeLine(said.filter((part) => part !== '').join(': '));
}
