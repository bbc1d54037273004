import { parseArgs } from 'node:util';
import type { CallsPart } from './calls/run-calls.ts';

/** What a run is asked to be. */
export interface SoakArguments {
  /** A minute with faults, and as long as they take for calls, if undefined. */
  readonly minutes: number | undefined;
  readonly seed: number;
  readonly rate: number;
  readonly only: readonly string[];
  /** So many calls instead of faults. */
  readonly calls: number | undefined;
  /** Where these are made. */
  readonly parts: readonly CallsPart[];
  /** Whether a disk may be mounted for the history, to make it full. */
  readonly mayMount: boolean;
  readonly isKept: boolean;
  readonly wantsHelp: boolean;
}

export const HELP = `npm run soak -- [options]

  --minutes <n>   how long (default: 1; with --calls, no limit)
  --seed <n>      what is drawn from (default: by the clock)
  --rate <n>      clients that come in a second, on the average (default: 30)
  --only <kinds>  only these faults, separated by commas
  --calls <n>     no faults: so many calls through parsing and the guard in one process, and then so many through
                  the gateway, turns of models and calls of tools together
  --part <part>   only one of these: process or gateway
  --no-mount      mount no disk for the history: it is full when the gateway may not let files grow
  --no-write      keep no results in soak/results/
`;

/** Throws where it cannot be understood. */
export function readArguments(args: readonly string[]): SoakArguments {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string' },
      seed: { type: 'string' },
      rate: { type: 'string', default: '30' },
      only: { type: 'string', default: '' },
      calls: { type: 'string' },
      part: { type: 'string' },
      'no-mount': { type: 'boolean', default: false },
      'no-write': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const { minutes, seed, calls } = values;
  return {
    minutes: minutes === undefined ? undefined : positive('--minutes', minutes),
    seed: seed === undefined ? Date.now() % 1_000_000 : whole('--seed', seed),
    rate: positive('--rate', values.rate),
    only: values.only.split(',').filter((kind) => kind !== ''),
    calls: calls === undefined ? undefined : whole('--calls', calls),
    parts: partsOf(values.part),
    mayMount: !values['no-mount'],
    isKept: !values['no-write'],
    wantsHelp: values.help,
  };
}

const PARTS: readonly CallsPart[] = ['process', 'gateway'];

function partsOf(name: string | undefined): readonly CallsPart[] {
  const parts = PARTS.filter((part) => name === undefined || part === name);
  if (parts.length > 0) return parts;
  throw new Error(`--part: expected process or gateway, got ${String(name)}`);
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (value > 0 && Number.isFinite(value)) return value;
  throw new Error(`${name}: expected a number above 0, got ${text}`);
}

function whole(name: string, text: string): number {
  const value = positive(name, text);
  if (Number.isInteger(value)) return value;
  throw new Error(`${name}: expected a whole number, got ${text}`);
}
