import type { JsonObject, JsonValue } from '@holdfast/core';
import { listOf, objectOf, textOf } from '../proxy/json/json-fields.ts';
import type { GatewayMessage } from './follow-gateway.ts';
import { counted, formatDuration, formatTime } from './format-amount.ts';
import { readMoment } from './read-moment.ts';
import { safeLine } from './safe-text.ts';
import type { Style, Styles } from './style.ts';

/** Kinds are as long as the longest of them. */
const KIND_WIDTH = 'request'.length;

/** What happened, on one line for people; undefined for what is not shown. */
export function formatEvent({ type, data }: GatewayMessage, styles: Styles): string | undefined {
  const line = (kind: string, parts: readonly string[]): string =>
    [
      styles.dim(formatTime(readMoment(data['at']))),
      kind.padEnd(KIND_WIDTH),
      ...parts.filter((part) => part !== ''),
    ].join('  ');
  switch (type) {
    case 'turn-ended':
      return line('request', turnParts(data, styles));
    case 'call-ended':
      return line('call', callParts(data, styles));
    case 'circuit-opened':
      return line('circuit', [
        styles.bold(name(data['circuit'])),
        styles.red('open'),
        remark([data['reason'], openFor(data['open_for_ms'])], styles),
      ]);
    case 'circuit-half-opened':
      return line('circuit', [styles.bold(name(data['circuit'])), styles.yellow('half open')]);
    case 'circuit-closed':
      return line('circuit', [
        styles.bold(name(data['circuit'])),
        styles.green('closed'),
        remark([data['reason']], styles),
      ]);
    case 'server-changed': {
      const style = data['state'] === 'connected' ? styles.green : styles.yellow;
      return line('server', [
        styles.bold(name(data['server'])),
        style(name(data['state'])),
        remark([data['reason']], styles),
      ]);
    }
    case 'tool-redefined':
      return line('tool', [
        styles.bold(`${name(data['server'])}/${name(data['tool'])}`),
        styles.red('is no longer what it was'),
        data['quarantined'] === true ? remark(['held back until it is approved'], styles) : '',
      ]);
    default:
      return undefined;
  }
}

function turnParts(data: JsonObject, styles: Styles): readonly string[] {
  const error = objectOf(data['error']);
  const [style, outcome]: readonly [Style, string] =
    data['error'] !== null && data['error'] !== undefined
      ? [styles.red, `failed: ${name(error['message'] ?? error['kind'] ?? data['error'])}`]
      : data['is_aborted'] === true
        ? [styles.yellow, 'the client went away']
        : [styles.green, 'ok'];
  const repairs = namesOf(data['repairs']);
  return [
    styles.bold(name(data['model'])),
    name(data['upstream']),
    style(outcome),
    duration(data['duration_ms']),
    namesOf(data['calls']),
    remark(
      [
        namesOf(data['formats']),
        repairs === '' ? '' : `repaired: ${repairs}`,
        attempts(data['attempts']),
        listOf(data['advice']).length > 0 ? 'advised' : '',
        data['was_asked_again'] === true ? 'asked again' : '',
        ...unread(data['issues']),
      ],
      styles,
    ),
  ];
}

function callParts(data: JsonObject, styles: Styles): readonly string[] {
  const outcome = textOf(data['outcome']);
  const style =
    outcome === 'ok' ? styles.green : outcome === 'refused' ? styles.yellow : styles.red;
  const server = name(data['server']);
  const advised = data['advice'] !== null && data['advice'] !== undefined;
  return [
    styles.bold(`${server === '' ? '' : `${server}/`}${name(data['tool'])}`),
    style(name(data['outcome'])),
    duration(data['duration_ms']),
    name(data['message']),
    remark(
      [
        // Of one that was refused the class says the same.
        outcome === 'failed' ? data['class'] : '',
        attempts(data['attempts']),
        listOf(data['repairs']).length > 0 ? 'arguments repaired' : '',
        advised ? 'advised' : '',
      ],
      styles,
    ),
  ];
}

function name(value: JsonValue | undefined): string {
  return safeLine(textOf(value));
}

/** Of calls, formats and the like: strings, or objects with a name. */
function namesOf(value: JsonValue | undefined): string {
  const names = listOf(value).map((each) => name(objectOf(each)['name'] ?? each));
  return names.filter((each) => each !== '').join(', ');
}

function remark(parts: readonly (JsonValue | undefined)[], { dim }: Styles): string {
  const said = parts.map(name).filter((part) => part !== '');
  return said.length === 0 ? '' : dim(`(${said.join('; ')})`);
}

function duration(value: JsonValue | undefined): string {
  return typeof value === 'number' ? formatDuration(value) : '';
}

function attempts(value: JsonValue | undefined): string {
  return typeof value === 'number' && value > 1 ? counted(value, 'attempt') : '';
}

function openFor(value: JsonValue | undefined): string {
  return typeof value === 'number' ? `for ${formatDuration(value)}` : 'until it is reset';
}

function unread(issues: JsonValue | undefined): readonly string[] {
  const count = listOf(issues).length;
  return count === 0 ? [] : [counted(count, 'issue')];
}
