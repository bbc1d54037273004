import { SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { NotSentError } from '../call/not-sent-error.ts';
import { STREAM_ENDED, TOO_LONG } from './http-transport.ts';
import { MessageTooLongError } from './message-too-long-error.ts';
import { ServerGoneError } from './server-gone-error.ts';

/** Errors of connecting: no byte of the request can have arrived. */
const NOT_CONNECTED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Errors of a connection that was there: the server may have done the work. */
const BROKEN = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** What became of a request that failed, in our own terms where the SDK's do not say whether it was sent. */
export function readRequestError(error: unknown, server: string, why: string | undefined): unknown {
  if (error instanceof NotSentError) return error;
  const because = why === undefined ? '' : `: ${why}`;
  if (error instanceof SdkError && !(error instanceof SdkHttpError)) {
    if (error.code === SdkErrorCode.NotConnected) {
      return new NotSentError(`${server} is not connected${because}`, { cause: error });
    }
    if (error.code === SdkErrorCode.ConnectionClosed) {
      return new ServerGoneError(`${server} ended before it answered${because}`, { cause: error });
    }
    return error;
  }
  if (codeOf(error) === STREAM_ENDED) {
    return new ServerGoneError(`${server} ended its stream before it answered`, { cause: error });
  }
  if (codeOf(error) === TOO_LONG) {
    const limit = error instanceof Error && 'data' in error ? Number(error.data) : NaN;
    return new MessageTooLongError(server, limit);
  }
  const cause = error instanceof Error ? error.cause : undefined;
  const code = codeOf(cause) ?? codeOf(error);
  if (typeof code === 'string' && NOT_CONNECTED.has(code)) {
    return new NotSentError(`${server} could not be reached (${code})`, { cause: error });
  }
  if (typeof code === 'string' && BROKEN.has(code)) {
    const message = `${server} closed the connection before it answered (${code})`;
    return new ServerGoneError(message, { cause: error });
  }
  if (error instanceof Error && error.message === 'Not connected') {
    return new NotSentError(`${server} is not connected${because}`, { cause: error });
  }
  return error;
}

/**
 * Whether a server has forgotten our session, as one does that was restarted. It ought to say 404; many that are
 * built after the examples of the SDK say 400 and speak of the session.
 */
export function isSessionGone(error: unknown): boolean {
  if (!(error instanceof SdkHttpError)) return false;
  return error.status === 404 || (error.status === 400 && /session/iu.test(error.message));
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
