import { ToolParseError } from '../errors.ts';
import type { MonotonicClock } from '../internal/clock.ts';
import { exceedsUtf8, utf8Length } from '../internal/utf8-length.ts';
import { addTime } from './engine-parser.ts';
import type { EngineParser } from './engine-parser.ts';
import { areCalls } from './format-parser.ts';
import type { ParseIssue, ParseIssueCode } from './parse-issue.ts';
import { timeoutMessage } from './timeout-message.ts';
import type { ParsedCall, TextResponse, ToolParser } from './tool-parser.ts';

export interface PluginRun {
  /** Its calls; undefined when it found none or may not be asked. */
  readonly calls: readonly ParsedCall[] | undefined;
  /** It answered with the text itself: the chain ends here. */
  readonly isText: boolean;
  readonly decision: 'call' | 'not-a-call' | 'skipped';
  readonly detail: string;
  readonly issue: ParseIssue | undefined;
}

/**
 * Asks a whole-text parser. Whatever it does, the chain goes on: a parser that throws, takes too long or
 * returns what is no call counts as "not a call", and one that keeps failing is left out for a while.
 */
export function runPlugin(
  plugin: ToolParser,
  entry: EngineParser,
  text: string,
  clock: MonotonicClock,
): PluginRun {
  const { counters, circuit, limits } = entry;
  const started = clock.now();
  try {
    checkSize(text, limits.maxCallBytes);
  } catch (error) {
    counters.skipped++;
    return failed('skipped', plugin, error);
  }
  const permit = circuit.acquire(started);
  if (permit === undefined) {
    counters.skipped++;
    const message = `the parser ${plugin.name} kept failing and is left out for a while`;
    return declined('skipped', message, issueOf('parser-skipped', message, plugin));
  }
  let run: PluginRun;
  try {
    run = ask(plugin, entry, text);
    const elapsed = clock.now() - started;
    if (elapsed > limits.timeoutMs) {
      throw new ToolParseError('parse-timeout', timeoutMessage(elapsed, limits.timeoutMs));
    }
    circuit.settle(permit, 'success', clock.now());
  } catch (error) {
    circuit.settle(permit, 'failure', clock.now());
    run = failed('not-a-call', plugin, error);
  }
  addTime(counters, clock.now() - started);
  if (run.calls !== undefined) counters.successes++;
  else if (run.detail !== NOT_DETECTED) counters.failures++;
  return run;
}

const NOT_DETECTED = 'canParse said no';

function ask(plugin: ToolParser, { counters }: EngineParser, text: string): PluginRun {
  if (!plugin.canParse(text)) return declined('not-a-call', NOT_DETECTED);
  counters.detections++;
  const result = plugin.parse(text);
  if (result === null) return declined('not-a-call', 'parse returned null');
  if (isTextResponse(result))
    return { ...declined('not-a-call', 'parse returned the text'), isText: true };
  if (!isList(result) || !areCalls(result)) {
    const message = `the parser ${plugin.name} returned what is no list of calls with name and arguments`;
    return declined('not-a-call', message, issueOf('invalid-calls', message, plugin));
  }
  if (result.length === 0) return declined('not-a-call', 'parse returned an empty list');
  if (!plugin.validate(result)) {
    const message = `the parser ${plugin.name} found its own calls invalid`;
    return declined('not-a-call', message, issueOf('invalid-calls', message, plugin));
  }
  const names = result.map(({ name }) => name).join(', ');
  return { calls: result, isText: false, decision: 'call', detail: names, issue: undefined };
}

function checkSize(text: string, maxBytes: number): void {
  if (!exceedsUtf8(text, maxBytes)) return;
  throw new ToolParseError(
    'parse-too-large',
    `Parse size exceeded: ${utf8Length(text)} bytes > ${maxBytes} bytes`,
  );
}

function isTextResponse(result: readonly ParsedCall[] | TextResponse): result is TextResponse {
  return typeof result === 'object' && 'type' in result;
}

function isList(result: unknown): result is readonly ParsedCall[] {
  return Array.isArray(result);
}

function declined(
  decision: 'not-a-call' | 'skipped',
  detail: string,
  issue?: ParseIssue,
): PluginRun {
  return { calls: undefined, isText: false, decision, detail, issue };
}

function failed(decision: 'not-a-call' | 'skipped', plugin: ToolParser, error: unknown): PluginRun {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof ToolParseError)) {
    return declined(
      decision,
      message,
      issueOf('parser-threw', `the parser ${plugin.name} threw: ${message}`, plugin),
    );
  }
  const code = error.code === 'parse-timeout' ? 'parse-timeout' : 'call-too-large';
  return declined(decision, message, issueOf(code, message, plugin));
}

function issueOf(code: ParseIssueCode, message: string, plugin: ToolParser): ParseIssue {
  return { code, message, offset: 0, parser: plugin.name };
}
