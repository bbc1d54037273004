/** Why a server could not be asked. */
export interface AskFailure {
  readonly kind: 'refused' | 'timeout' | 'dns' | 'tls' | 'reset' | 'not-http' | 'other';
  /** What happened, in words that go behind the address. */
  readonly message: string;
}

const CODES: Readonly<Record<string, AskFailure>> = {
  ECONNREFUSED: { kind: 'refused', message: 'the connection was refused: nothing listens there' },
  EHOSTUNREACH: { kind: 'refused', message: 'there is no way to that host' },
  ENETUNREACH: { kind: 'refused', message: 'there is no way to that network' },
  ENOTFOUND: { kind: 'dns', message: 'the host name cannot be found' },
  EAI_AGAIN: { kind: 'dns', message: 'the host name cannot be looked up now' },
  ECONNRESET: { kind: 'reset', message: 'the connection was closed before an answer' },
  EPIPE: { kind: 'reset', message: 'the connection was closed before an answer' },
  UND_ERR_SOCKET: { kind: 'reset', message: 'the connection was closed before an answer' },
  UND_ERR_CONNECT_TIMEOUT: { kind: 'timeout', message: 'no connection came about in time' },
  ETIMEDOUT: { kind: 'timeout', message: 'no connection came about in time' },
  UND_ERR_HEADERS_TIMEOUT: { kind: 'timeout', message: 'no answer came in time' },
  UND_ERR_BODY_TIMEOUT: { kind: 'timeout', message: 'the answer stopped in the middle' },
};

/** What an error of a request means. */
export function readAskFailure(error: unknown): AskFailure {
  const code = codeOf(error);
  const known = code === undefined ? undefined : CODES[code];
  if (known !== undefined) return known;
  const message = error instanceof Error ? error.message : String(error);
  if (code?.startsWith('HPE_') === true) {
    return { kind: 'not-http', message: `what answered does not speak HTTP (${code})` };
  }
  if (isTls(code, message)) {
    return { kind: 'tls', message: `TLS failed: ${message === '' ? (code ?? '') : message}` };
  }
  return { kind: 'other', message: message === '' ? (code ?? 'no reason was given') : message };
}

function isTls(code: string | undefined, message: string): boolean {
  return (
    /^(?:ERR_SSL|ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code ?? '') ||
    /certificate|wrong version number|ssl/i.test(message)
  );
}

/** The code of an error or of what caused it: several addresses of a host hide it in an AggregateError. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code } = error as { readonly code?: unknown };
  if (typeof code === 'string' && code !== '') return code;
  const inner: unknown = error instanceof AggregateError ? error.errors[0] : error.cause;
  return inner === undefined ? undefined : codeOf(inner);
}
