import { headerIn, headersOf } from './error-headers.ts';
import { firstIn, isObject, readKey } from './error-layers.ts';

/**
 * How long a server asked to wait, in milliseconds; undefined when it did not say, or said a date and
 * nobody knows the time: neither `wallTime` nor the `Date` of the answer.
 */
export function retryAfterIn(
  layers: readonly unknown[],
  isRateLimited: boolean,
  wallTime: number | undefined,
): number | undefined {
  return firstIn(layers, (layer) => {
    if (!isObject(layer)) return undefined;
    const headers = headersOf(layer);
    return (
      millisecondsIn(layer) ??
      (headers && headerWait(headers, wallTime)) ??
      secondsIn(layer) ??
      (headers && isRateLimited ? untilReset(headers, wallTime) : undefined)
    );
  });
}

/** Whether the answer says that nothing is left of what was allowed, or when to come again. */
export function hasRateLimitHeader(layer: unknown): boolean {
  const headers = headersOf(layer);
  if (headers === undefined) return false;
  return remainingIn(headers) === '0' || RETRY_AFTER.some((name) => headerIn(headers, name));
}

const RETRY_AFTER = ['retry-after', 'retry-after-ms'] as const;

function millisecondsIn(layer: unknown): number | undefined {
  const value = readKey(layer, 'retryAfterMs') ?? readKey(layer, 'retry_after_ms');
  return atLeastZero(numberFrom(value));
}

/** In bodies and errors a wait without a unit is in seconds, as in the header. */
function secondsIn(layer: unknown): number | undefined {
  const value =
    readKey(layer, 'retry_after') ??
    readKey(layer, 'retryAfter') ??
    readKey(layer, 'retry_after_seconds') ??
    readKey(layer, 'retryAfterSeconds');
  const seconds = numberFrom(value);
  return seconds === undefined ? undefined : atLeastZero(seconds * 1000);
}

function headerWait(headers: object, wallTime: number | undefined): number | undefined {
  const waitMs = atLeastZero(numberFrom(headerIn(headers, 'retry-after-ms')));
  return waitMs ?? waitFrom(headerIn(headers, 'retry-after'), headers, wallTime);
}

/** `120`, `1.5`, `30s`, or a date. */
function waitFrom(
  value: string | undefined,
  headers: object,
  wallTime: number | undefined,
): number | undefined {
  if (value === undefined) return undefined;
  const seconds = numberFrom(value);
  if (seconds !== undefined) return atLeastZero(seconds * 1000);
  return until(dateFrom(value), headers, wallTime);
}

/**
 * The reset header rides on every answer of many services, so it counts only where nothing remains, or
 * nothing is said of what does. Some write seconds to wait, some the time itself.
 */
function untilReset(headers: object, wallTime: number | undefined): number | undefined {
  if ((remainingIn(headers) ?? '0') !== '0') return undefined;
  const reset = headerIn(headers, 'x-ratelimit-reset') ?? headerIn(headers, 'ratelimit-reset');
  const value = numberFrom(reset);
  if (value === undefined || value < YEAR_2001_IN_SECONDS)
    return waitFrom(reset, headers, wallTime);
  return until(value < YEAR_2001_IN_MS ? value * 1000 : value, headers, wallTime);
}

function remainingIn(headers: object): string | undefined {
  return headerIn(headers, 'x-ratelimit-remaining') ?? headerIn(headers, 'ratelimit-remaining');
}

const YEAR_2001_IN_SECONDS = 1e9;
const YEAR_2001_IN_MS = 1e12;

/** The server's own clock is the better one: a date it gave is meant by it. */
function until(
  time: number | undefined,
  headers: object,
  wallTime: number | undefined,
): number | undefined {
  const from = dateFrom(headerIn(headers, 'date') ?? '') ?? wallTime;
  if (time === undefined || from === undefined) return undefined;
  return Math.max(0, time - from);
}

/** The three spellings of HTTP, and ISO 8601. `Date.parse` alone would take `5 apples` for a date. */
function dateFrom(text: string): number | undefined {
  const isAsctime = ASCTIME.test(text);
  if (!isAsctime && !HTTP_DATE.test(text) && !ISO_DATE.test(text)) return undefined;
  const time = Date.parse(isAsctime ? `${text} GMT` : text);
  return Number.isNaN(time) ? undefined : time;
}

const HTTP_DATE = /^[A-Z][a-z]{2,8}, \d{2}[ -][A-Z][a-z]{2}[ -]\d{2,4} [\d:]{8} GMT$/;
const ASCTIME = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4}$/;
const ISO_DATE = /^\d{4}-\d\d-\d\dT[\d:.]{5,15}(?:Z|[+-]\d\d:\d\d)$/;

function numberFrom(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && SECONDS.test(value) ? Number.parseFloat(value) : undefined;
}

const SECONDS = /^-?\d{1,15}(?:\.\d{1,15})?s?$/;

function atLeastZero(value: number | undefined): number | undefined {
  return value === undefined || Number.isNaN(value) ? undefined : Math.max(0, value);
}
