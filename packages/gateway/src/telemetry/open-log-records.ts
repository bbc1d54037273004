import type { JsonObject } from '@holdfast/core';
import { isObject, textOf } from '../proxy/json/json-fields.ts';

/** A line of the log as OpenTelemetry takes it. */
interface LogRecord {
  readonly timestamp: number;
  readonly severityNumber: number;
  readonly severityText: string;
  readonly body: string;
  readonly attributes: JsonObject;
}

interface LogEmitter {
  emit(record: LogRecord): void;
}

/**
 * Where an SDK for logs leaves its provider, under a version of that interface. A package of its own, which is not
 * stable yet, has the names; this place is what its versions agree on, so that it need not be loaded.
 */
const PROVIDER = Symbol.for('io.opentelemetry.js.api.logs');
const INTERFACE_VERSION = 1;

/** By the level that a line has. */
const SEVERITIES: ReadonlyMap<string, number> = new Map([
  ['debug', 5],
  ['info', 9],
  ['warn', 13],
  ['error', 17],
]);

/**
 * Hands lines of the log, which have lost their secrets, to an SDK of OpenTelemetry that collects logs; undefined
 * where none was started before us. The SDK itself adds the span that is running.
 */
export function openLogRecords(version: string): ((line: string) => void) | undefined {
  const emitter = findEmitter(version);
  if (emitter === undefined) return undefined;
  return (line) => {
    const record = readLine(line);
    if (record !== undefined) emitter.emit(record);
  };
}

function findEmitter(version: string): LogEmitter | undefined {
  const find: unknown = Reflect.get(globalThis, PROVIDER);
  const provider: unknown =
    typeof find === 'function' ? Reflect.apply(find, undefined, [INTERFACE_VERSION]) : undefined;
  if (!has(provider, 'getLogger')) return undefined;
  const emitter = provider.getLogger('holdfast', version);
  return has(emitter, 'emit') ? emitter : undefined;
}

function has<K extends string>(
  value: unknown,
  method: K,
): value is Readonly<Record<K, (...args: readonly unknown[]) => unknown>> {
  return (
    typeof value === 'object' && value !== null && typeof Reflect.get(value, method) === 'function'
  );
}

function readLine(line: string): LogRecord | undefined {
  const read: unknown = JSON.parse(line);
  if (!isObject(read)) return undefined;
  const { level, time, msg, trace_id: _traceId, span_id: _spanId, ...attributes } = read;
  const severityText = textOf(level);
  return {
    timestamp: Date.parse(textOf(time)),
    severityNumber: SEVERITIES.get(severityText) ?? 0,
    severityText,
    body: textOf(msg),
    attributes,
  };
}
