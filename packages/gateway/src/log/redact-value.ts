import { REDACTED } from './mask-values.ts';
import { isSecretName } from './secret-names.ts';

/** Takes secrets out of a text. */
export type Mask = (text: string) => string;

/** Deeper than this nothing is shown. */
const MAX_DEPTH = 64;

/**
 * A copy of `value` that can be written as JSON: texts go through `mask`, those with the name of a secret are
 * left out. Of objects that are no plain data, such as a socket, only the kind is told.
 */
export function redactValue(value: unknown, mask: Mask): unknown {
  return copy(value, mask, []);
}

/** `redactValue` for named values. */
export function redactFields(
  fields: Readonly<Record<string, unknown>>,
  mask: Mask,
): Record<string, unknown> {
  return copyFields(fields, mask, [fields]);
}

function copy(value: unknown, mask: Mask, within: readonly object[]): unknown {
  if (typeof value === 'string') return mask(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return value;
  if (within.includes(value)) return '[circular]';
  if (within.length >= MAX_DEPTH) return '[too deep]';
  const inside = [...within, value];
  if (Array.isArray(value)) return value.map((item) => copy(item, mask, inside));
  if (value instanceof Error) return copyFields(fieldsOf(value), mask, inside);
  if (value instanceof Date) return value.toJSON();
  if (value instanceof URL) return mask(value.href);
  if (isPlain(value)) return copyFields(value, mask, inside);
  return `[${kindOf(value)}]`;
}

function copyFields(
  fields: Readonly<Record<string, unknown>>,
  mask: Mask,
  within: readonly object[],
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      mask(name),
      isSecretName(name) ? hide(value, mask, within) : copy(value, mask, within),
    ]),
  );
}

/** Texts are secrets here; numbers, as in `token: 3`, and schemas, as in `password: { type }`, are not. */
function hide(value: unknown, mask: Mask, within: readonly object[]): unknown {
  if (typeof value === 'string') return REDACTED;
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return [REDACTED];
  return copy(value, mask, within);
}

function fieldsOf(error: Error): Readonly<Record<string, unknown>> {
  const { name, message, stack, cause } = error;
  const code = 'code' in error ? error.code : undefined;
  return {
    name,
    message,
    ...(code !== undefined && { code }),
    ...(stack !== undefined && { stack }),
    ...(cause !== undefined && { cause }),
  };
}

function isPlain(value: object): value is Readonly<Record<string, unknown>> {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function kindOf(value: object): string {
  return ArrayBuffer.isView(value) ? `${value.byteLength} bytes` : value.constructor.name;
}
