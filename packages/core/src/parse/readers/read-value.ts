import type { JsonValue, Repair } from '../../types.ts';
import { isJsonObject } from '../call-keys.ts';
import { hasWrittenArguments, withRepairs } from '../call-shape.ts';
import type { RawCall } from '../format.ts';
import type { Damage } from '../json/findings.ts';

/** A JSON value in a block, and what it took to read it. */
export interface ReadValue extends Damage {
  readonly value: JsonValue;
  /** Its text, where that is valid JSON. */
  readonly source: string | undefined;
  readonly start: number;
  readonly end: number;
  /** The damage of each of its calls, where it is a list of calls or holds one. */
  readonly items: readonly Damage[];
}

/** Returns `calls`, which `read` stands for, each with the repairs that it took. */
export function withDamage(calls: readonly RawCall[], read: ReadValue): readonly RawCall[] {
  if (read.repairs.length === 0 && !read.lossy) return calls;
  return calls.map((call, at) => {
    const { repairs, lossy } = damageOf(read, at, calls.length);
    const repaired = withRepairs(call, repairs);
    return lossy && !repaired.lossy ? { ...repaired, lossy: true } : repaired;
  });
}

/** Returns `read` with one more repair: of all its calls, or of the last only. */
export function withRepair(read: ReadValue, repair: Repair, isOfLast = false): ReadValue {
  const add = (damage: Damage): readonly Repair[] =>
    damage.repairs.includes(repair) ? damage.repairs : [...damage.repairs, repair];
  const last = read.items.length - 1;
  const items = read.items.map((item, at) =>
    isOfLast && at < last ? item : { ...item, repairs: add(item) },
  );
  return { ...read, repairs: add(read), items };
}

/** Whether one of `calls` has no arguments only because a repair closed it before they came. */
export function hasLostArguments(calls: readonly RawCall[], read: ReadValue): boolean {
  if (!read.repairs.some(isClosing)) return false;
  const { value } = read;
  const held = isJsonObject(value) ? value['tool_calls'] : value;
  const items = Array.isArray(held) ? (held as readonly JsonValue[]) : [value];
  return calls.some((call, at) => {
    const isEmpty = Object.keys(call.arguments).length === 0;
    const isClosed = damageOf(read, at, calls.length).repairs.some(isClosing);
    return isEmpty && isClosed && !hasWrittenArguments(items[at] ?? value);
  });
}

function damageOf(read: ReadValue, at: number, count: number): Damage {
  return (read.items.length === count ? read.items[at] : undefined) ?? read;
}

function isClosing(repair: string): boolean {
  return (
    repair === 'missing-brace' || repair === 'missing-outer-braces' || repair === 'missing-value'
  );
}
