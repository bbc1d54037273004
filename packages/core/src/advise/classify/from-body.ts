import { FAILURE_TYPES } from '../../internal/failure-types.ts';
import type { Classification } from '../classification.ts';
import { isOnlyEnvelope, readBody, readErrorPath } from './body-verdict.ts';
import type { BodyVerdict } from './body-verdict.ts';
import { RPC_CODES } from './exit-codes.ts';
import { typeOfStatus } from './http-statuses.ts';
import { parseBody } from './parse-body.ts';
import type { Signals } from './signals.ts';
import { typeOfLines } from './type-of-lines.ts';
import type { TypedLine } from './type-of-lines.ts';
import { failure, success } from './verdict.ts';

/**
 * What a JSON body says of itself, of tools whose output is the answer of a protocol. From others a body
 * counts only if it says nothing but that it is an error, and nothing says that the call worked.
 */
export function fromBody(signals: Signals): Classification | undefined {
  const { kind, settings, output, isError, exitCode } = signals;
  const isAnswer = kind === 'api' || settings.errorPath !== undefined;
  const isOpen = isError === undefined && exitCode === undefined;
  if (!isAnswer && !isOpen) return undefined;
  const body = parseBody(output);
  if (body === undefined) return undefined;
  const verdict =
    settings.errorPath === undefined ? readBody(body) : readErrorPath(body, settings.errorPath);
  if (verdict === undefined) return undefined;
  if (!isAnswer && !(verdict.isError && isOnlyEnvelope(body))) return undefined;
  if (!verdict.isError) return success(0.85);
  const { type, line } = typeOfBody(verdict);
  // What a command prints may be any answer; that the user said no is the host's.
  if (kind === 'shell' && !isAnswer && !FAILURE_TYPES[type].isNeutral) return undefined;
  return failure(type, isAnswer ? 0.9 : 0.6, line);
}

function typeOfBody({ lines, status }: BodyVerdict): TypedLine {
  const said = typeOfLines(lines);
  const type = typeOfNumber(status);
  // A status decides, unless the words are about limits: services use 403 and 429 for several.
  const isLimit = said?.type === 'rate_limit' || said?.type === 'resource';
  if (type !== undefined && !isLimit) return { type, line: messageIn(lines) };
  return { type: said?.type ?? 'execution', line: messageIn(lines) };
}

function typeOfNumber(status: number | undefined): TypedLine['type'] | undefined {
  if (status === undefined) return undefined;
  return status < 0 ? (RPC_CODES[status] ?? 'server_error') : typeOfStatus(status);
}

/** The line a person would quote: a sentence rather than a code. */
function messageIn(lines: readonly string[]): string {
  return lines.find((line) => line.includes(' ')) ?? lines[0] ?? '';
}
