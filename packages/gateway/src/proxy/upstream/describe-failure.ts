import { SilenceError } from './silence-error.ts';
import type { TurnError } from '../turn/turn-error.ts';

/** What a client is told when an upstream cannot be reached, or breaks off. */
export function describeFailure(error: unknown, upstream: string, url: string): TurnError {
  const where = `upstream "${upstream}" at ${url}`;
  if (error instanceof SilenceError)
    return timeout(
      `${where} ${error.hadBegun ? 'sent no more content' : 'sent no content in time'} (${error.waitedMs} ms)`,
    );
  const code = codeOf(error);
  const shortage = localReason(error);
  if (shortage !== undefined) {
    const message = `the gateway could not reach ${where}: ${shortage}. The upstream is not at fault`;
    return { kind: 'overloaded', message, isLocal: true };
  }
  switch (code) {
    case 'UND_ERR_CONNECT_TIMEOUT':
      return timeout(`${where} did not accept a connection in time`);
    case 'UND_ERR_HEADERS_TIMEOUT':
      return timeout(`${where} ${NOT_BEGUN}`);
    case 'UND_ERR_BODY_TIMEOUT':
      return timeout(`${where} ${WENT_SILENT}`);
    case 'ECONNREFUSED':
      return failed(`${where} refused the connection: is it running?`);
    case 'ENOTFOUND':
      return failed(`${where} has a host name that cannot be found`);
    default: {
      const message = error instanceof Error ? error.message : String(error);
      return failed(`${where} failed: ${message === '' ? (code ?? 'no reason given') : message}`);
    }
  }
}

const NOT_BEGUN = 'did not begin to answer in time';
const WENT_SILENT = 'went silent in the middle of its answer';

function timeout(message: string): TurnError {
  return { kind: 'timeout', message };
}

function failed(message: string): TurnError {
  return { kind: 'upstream', message };
}

/** Why the gateway itself is at fault; undefined where one address of several failed for another reason. */
function localReason(error: unknown): string | undefined {
  if (!(error instanceof AggregateError)) return LOCAL_REASONS.get(codeOf(error) ?? '');
  const reasons = (error.errors as unknown[]).map(localReason);
  return reasons.includes(undefined) ? undefined : reasons[0];
}

const FILES = 'it may open no more files, and each connection is one';
const MEMORY = 'the system has no memory left for a connection';
const RESOLVER = 'the DNS resolver of this host does not answer';
const ABORTED = 'it closed the connection itself';
const LOCAL_REASONS: ReadonlyMap<string, string> = new Map([
  ['EMFILE', `${FILES} (EMFILE)`],
  ['ENFILE', `${FILES} (ENFILE)`],
  ['ENOMEM', `${MEMORY} (ENOMEM)`],
  ['ENOBUFS', `${MEMORY} (ENOBUFS)`],
  ['ERR_MEMORY_ALLOCATION_FAILED', `${MEMORY} (ERR_MEMORY_ALLOCATION_FAILED)`],
  ['EADDRNOTAVAIL', 'there is no free local address or port (EADDRNOTAVAIL)'],
  ['EAI_AGAIN', `${RESOLVER} (EAI_AGAIN)`],
  ['EAI_FAIL', `${RESOLVER} (EAI_FAIL)`],
  ['EAI_MEMORY', `${RESOLVER} (EAI_MEMORY)`],
  ['UND_ERR_ABORTED', ABORTED],
  ['UND_ERR_CLOSED', ABORTED],
  ['UND_ERR_DESTROYED', ABORTED],
]);

/** The code of an error, or of what caused it: happy eyeballs hide it in an AggregateError. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code } = error as { readonly code?: unknown };
  if (typeof code === 'string' && code !== '') return code;
  const inner = error instanceof AggregateError ? (error.errors as unknown[])[0] : error.cause;
  return inner === undefined ? undefined : codeOf(inner);
}
