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
  /** Repairs of what ends the block, which are those of its last call. */
  readonly endRepairs: readonly Repair[];
}

/** Returns `calls`, which `read` stands for, each with the repairs that it took. */
export function withDamage(calls: readonly RawCall[], read: ReadValue): readonly RawCall[] {
  const { repairs: all, lossy: isLossy, endRepairs } = read;
  if (all.length === 0 && !isLossy && endRepairs.length === 0) return calls;
  return calls.map((call, at) => {
    const { repairs, lossy } = damageOf(read, at, calls.length);
    const isLast = at === calls.length - 1;
    const repaired = withRepairs(call, isLast ? [...repairs, ...endRepairs] : repairs);
    return lossy && !repaired.lossy ? { ...repaired, lossy: true } : repaired;
  });
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
