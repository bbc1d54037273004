import type { JsonObject, JsonValue } from '@holdfast/core';
import type { Failure, FailureClass } from '@holdfast/core/guard';
import { backoffDelay, readReturned } from '@holdfast/core/guard';
import { z } from 'zod';
import { flag, section, wholeNumber } from '../../config/schema-parts.ts';
import { isObject, listOf, objectOf } from '../../proxy/json/json-fields.ts';
import type { Plugin } from '../plugin.ts';
import type { BuiltInPlugin, PluginMeans } from './built-in-plugin.ts';
import { builtIn } from './built-in-plugin.ts';
import { overridesOf, withOverrides } from './tool-overrides.ts';

const LONGEST_MS = 86_400_000;
const STATUSES = 'a list of HTTP statuses, such as [429, 503]';

const KEYS = {
  max_retries: wholeNumber(0, 10),
  backoff_base_ms: wholeNumber(1, LONGEST_MS, 'milliseconds'),
  max_backoff_ms: wholeNumber(1, LONGEST_MS, 'milliseconds'),
  retry_on_status: z.array(wholeNumber(100, 599), { error: STATUSES }),
  jitter: flag,
  check_text_content: flag,
};

const schema = section({
  max_retries: KEYS.max_retries.default(2).describe('How often a call is made again.'),
  backoff_base_ms: KEYS.backoff_base_ms.default(200).describe('The wait before the first retry.'),
  max_backoff_ms: KEYS.max_backoff_ms
    .default(5000)
    .describe('Waits double from retry to retry, up to this.'),
  retry_on_status: KEYS.retry_on_status
    .default([429, 500, 502, 503, 504])
    .describe('The statuses that are worth another try.'),
  jitter: flag.default(true).describe('Whether a wait is anything from nothing to all of it.'),
  check_text_content: flag
    .default(false)
    .describe('Whether a status is looked for in texts that are JSON, too.'),
  tool_overrides: overridesOf({
    max_retries: KEYS.max_retries.exactOptional(),
    backoff_base_ms: KEYS.backoff_base_ms.exactOptional(),
    max_backoff_ms: KEYS.max_backoff_ms.exactOptional(),
    retry_on_status: KEYS.retry_on_status.exactOptional(),
    jitter: flag.exactOptional(),
    check_text_content: flag.exactOptional(),
  }).describe('Any of these keys for single tools, by name.'),
}).superRefine(({ tool_overrides: overrides, ...base }, context) => {
  const check = (settings: Settings, path: string[]): void => {
    if (settings.max_backoff_ms >= settings.backoff_base_ms) return;
    const message = `at least backoff_base_ms, which is ${settings.backoff_base_ms}`;
    context.addIssue({ code: 'custom', path: [...path, 'max_backoff_ms'], message });
  };
  check(base, []);
  for (const [tool, own] of Object.entries(overrides))
    check({ ...base, ...own }, ['tool_overrides', tool]);
});

type Settings = Omit<z.output<typeof schema>, 'tool_overrides'>;

/** Asks for another try of a call that failed. Whether the tool may be called again is for the gateway to say. */
export const retryWithBackoff: BuiltInPlugin = builtIn(schema, createRetryWithBackoff);

/** What trying again cannot change. */
const FINAL: ReadonlySet<FailureClass> = new Set([
  'invalid-arguments',
  'auth',
  'not-found',
  'cancelled',
  'refused',
] as const);

const RETRIES = 'retries';

function createRetryWithBackoff(
  { tool_overrides: overrides, ...base }: z.output<typeof schema>,
  { random }: PluginMeans,
): Plugin {
  const settingsOf = withOverrides<Settings>(base, overrides);
  return {
    tool_post_invoke: ({ name, result }, { state }) => {
      const settings = settingsOf(name);
      const failure = readReturned(result);
      const isTimeout = state['cb_timeout_failure'] === true;
      const made = typeof state[RETRIES] === 'number' ? state[RETRIES] : 0;
      const isWorthIt = isTimeout || mayHelp(result, failure, settings);
      if (!isWorthIt || made >= settings.max_retries) {
        state[RETRIES] = 0;
        return made === 0 ? undefined : { metadata: { retry_count: made } };
      }
      state[RETRIES] = made + 1;
      const { backoff_base_ms: initialDelayMs, max_backoff_ms: maxDelayMs, jitter } = settings;
      const backoff = { initialDelayMs, maxDelayMs, multiplier: 2, jitter: jitterOf(jitter) };
      const asked = Math.min(failure?.retryAfterMs ?? 0, maxDelayMs) || 0;
      // 0 would say that there is no retry.
      const delay = Math.max(1, backoffDelay(made + 1, backoff, random), asked);
      return {
        retry_delay_ms: delay,
        metadata: { retry_count: made + 1, retry_delay_ms: delay },
      };
    },
  };
}

function jitterOf(isOn: boolean): 'full' | 'none' {
  return isOn ? 'full' : 'none';
}

function mayHelp(
  result: JsonValue,
  failure: Failure | undefined,
  { retry_on_status: statuses, check_text_content: looksAtText }: Settings,
): boolean {
  const status = statusIn(result, looksAtText) ?? failure?.status;
  if (status !== undefined) return statuses.includes(status);
  return failure !== undefined && !FINAL.has(failure.class);
}

/** The status that the tool had from whatever it asked. */
function statusIn(result: JsonValue, looksAtText: boolean): number | undefined {
  const { structuredContent: structured, content } = objectOf(result);
  if (isObject(structured)) return statusOf(structured);
  if (!looksAtText || (structured !== undefined && structured !== null)) return undefined;
  for (const block of listOf(content).map(objectOf)) {
    const { type, text } = block;
    if (type !== 'text' || typeof text !== 'string') continue;
    const status = statusOf(readObject(text));
    if (status !== undefined) return status;
  }
  return undefined;
}

function statusOf({ status_code, statusCode, status }: JsonObject): number | undefined {
  return [status_code, statusCode, status].find(isStatus);
}

function isStatus(value: JsonValue | undefined): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 100 && value <= 599;
}

/** Longer texts are content, not the answer of a protocol. */
const MOST_READ = 65_536;

function readObject(text: string): JsonObject {
  if (text.length > MOST_READ || !text.trimStart().startsWith('{')) return {};
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return {};
  }
}
