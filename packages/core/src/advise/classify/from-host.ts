import { FAILURE_TYPES, TYPE_OF_CLASS } from '../../internal/failure-types.ts';
import type { FailureType } from '../../internal/failure-types.ts';
import { readThrown } from '../../internal/read-failure.ts';
import type { Classification } from '../classification.ts';
import { readHostMessage } from './host-messages.ts';
import type { Signals } from './signals.ts';
import { tellingLines } from './telling-lines.ts';
import { typeOfFailure } from './type-of-failure.ts';
import { typeOfLines } from './type-of-lines.ts';
import { failure } from './verdict.ts';

/** Whether it ran at all: what was denied, taken back or meant for a tool that does not exist did not. */
export function fromRefusal(signals: Signals): Classification | undefined {
  const { result, kind, isError, exitCode, output, lines } = signals;
  if (result.notRun === 'unknown-tool') return failure('unknown_tool', 1, output.split('\n', 1)[0]);
  if (result.notRun !== undefined) return failure(result.notRun, 1);
  // Where the host says how it went, its words need not be looked for; and long content is content.
  if (isError === false || exitCode === 0) return undefined;
  if (kind === 'reader' && (lines.all?.length ?? Infinity) > MAX_CONTENT) return undefined;
  const message = readHostMessage(output);
  if (message === undefined) return undefined;
  const type = message.type === 'as said' ? saidType(signals) : message.type;
  if (exitCode !== undefined && !FAILURE_TYPES[type].isNeutral) return undefined;
  return failure(type, isError === true ? 0.95 : 0.8, message.line);
}

/** What a text that is an error from end to end is about. */
function saidType(signals: Signals): FailureType {
  const { lines } = signals;
  return typeOfLines([...tellingLines(lines), ...lines.first])?.type ?? 'execution';
}

/** Content of more lines than that is what was asked for, whatever it begins with. */
const MAX_CONTENT = 10;

/** What the host says: its class of failure, what was thrown, or its flag. */
export function fromHost(signals: Signals): Classification | undefined {
  const { result, isError } = signals;
  if (result.failureClass !== undefined) {
    return refined(TYPE_OF_CLASS[result.failureClass], signals, messageOf(result.error));
  }
  if (result.error !== undefined && result.error !== null) {
    const thrown = readThrown(result.error);
    return refined(TYPE_OF_CLASS[thrown.class], signals, messageOf(result.error), thrown.code);
  }
  if (isError !== true) return undefined;
  const { type, line } = typeOfFailure(signals);
  return failure(type, 0.95, line);
}

/**
 * The type a class stands for, or a finer one that the text names under the same parent. A class that only
 * says that the tool failed leaves the type to the text.
 */
function refined(
  type: FailureType,
  signals: Signals,
  ...texts: (string | undefined)[]
): Classification {
  const lines = texts.flatMap((text) => (text === undefined ? [] : text.split('\n').slice(0, 5)));
  const said = typeOfLines(lines) ?? typeOfFailure(signals);
  const isOpen = type === 'execution' && !FAILURE_TYPES[said.type].isNeutral;
  const isFiner = FAILURE_TYPES[said.type].parent === FAILURE_TYPES[type].parent;
  const isNeutral = FAILURE_TYPES[type].isNeutral;
  const line = said.line === '' ? lines[0] : said.line;
  return failure(!isNeutral && (isOpen || isFiner) ? said.type : type, 0.95, line);
}

function messageOf(error: unknown): string | undefined {
  if (error === undefined || error === null) return undefined;
  if (!(error instanceof Error)) return typeof error === 'string' ? error : undefined;
  return `${error.name}: ${error.message}`;
}
