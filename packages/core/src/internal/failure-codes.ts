import type { FailureClass } from './failure-class.ts';

/** What a code or a name says: a class, or that somebody aborted, which is for the signal to explain. */
export type FailureSign = FailureClass | 'abort';

/** What an HTTP status says by itself. 403 may be a rate limit and 400 anything: others have to say. */
export function classOfStatus(status: number): FailureClass {
  const known = STATUSES.get(status);
  if (known !== undefined) return known;
  return status >= 500 ? 'server' : 'tool-error';
}

const STATUSES: ReadonlyMap<number, FailureClass> = tableOf<number>({
  'invalid-arguments': [400, 413, 414, 415, 422],
  auth: [401, 402, 403, 407, 451],
  'not-found': [404, 410],
  // 522 and 524 are Cloudflare's, for a server behind it.
  timeout: [408, 504, 522, 524],
  'rate-limited': [429],
});

/** What a code says, whoever's it is; undefined for those that say nothing of use. */
export function signOfCode(code: string): FailureSign | undefined {
  const written = code.startsWith('-') ? code : code.replaceAll('-', '_').toUpperCase();
  return CODES.get(written) ?? signOfFamily(written);
}

function signOfFamily(code: string): FailureSign | undefined {
  if (code.startsWith('UND_ERR_') && !code.startsWith('UND_ERR_INVALID'))
    return code.endsWith('TIMEOUT') ? 'timeout' : 'transport';
  return TRANSPORT_FAMILIES.some((family) => code.startsWith(family)) ? 'transport' : undefined;
}

const TRANSPORT_FAMILIES = ['HPE_', 'ERR_TLS_', 'ERR_SSL_', 'ERR_HTTP2_', 'CERT_'];

const SYSTEM_CODES = {
  transport: (
    'ECONNREFUSED ECONNRESET ECONNABORTED ENOTFOUND ENOTCONN EPIPE EHOSTUNREACH EHOSTDOWN ENETUNREACH ' +
    'ENETDOWN ENETRESET EADDRNOTAVAIL EAI_AGAIN EAI_FAIL EAI_NODATA EAI_NONAME EPROTO'
  ).split(' '),
  timeout: ['ETIMEDOUT', 'ESOCKETTIMEDOUT', 'ETIME'],
  auth: ['EACCES', 'EPERM', 'EROFS'],
  'not-found': ['ENOENT', 'ENOTDIR'],
  'invalid-arguments': ['EISDIR', 'ENAMETOOLONG'],
} as const satisfies Partial<Record<FailureSign, readonly string[]>>;

const CODES: ReadonlyMap<string, FailureSign> = tableOf<string, FailureSign>({
  transport: [
    ...SYSTEM_CODES.transport,
    // Node's own, axios's, Bun's, and those of MCP: -32000 is a closed connection there.
    'ERR_STREAM_PREMATURE_CLOSE ERR_SOCKET_CLOSED ERR_NETWORK',
    'DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'CONNECTIONREFUSED CONNECTIONRESET CONNECTIONCLOSED FAILEDTOOPENSOCKET',
    'CONNECTION_CLOSED CONNECTION_ERROR NETWORK_ERROR NOT_CONNECTED SEND_FAILED -32000',
  ].flatMap(words),
  timeout: [
    ...SYSTEM_CODES.timeout,
    'ERR_SOCKET_CONNECTION_TIMEOUT TOOL_TIMEOUT DEADLINE_EXCEEDED REQUEST_TIMEOUT GATEWAY_TIMEOUT TIMEOUT TIMEOUT_ERROR -32001',
  ].flatMap(words),
  server: words(
    'UNAVAILABLE INTERNAL DATA_LOSS API_ERROR OVERLOADED_ERROR SERVER_ERROR INTERNAL_SERVER_ERROR ' +
      'BAD_GATEWAY SERVICE_UNAVAILABLE -32603',
  ),
  'rate-limited': words(
    'RATE_LIMIT_ERROR RATE_LIMIT_EXCEEDED RATE_LIMITED RATELIMITEXCEEDED USERRATELIMITEXCEEDED ' +
      'RESOURCE_EXHAUSTED TOO_MANY_REQUESTS',
  ),
  'invalid-arguments': [
    ...SYSTEM_CODES['invalid-arguments'],
    'INVALID_ARGUMENT OUT_OF_RANGE BAD_REQUEST INVALID_PARAMS VALIDATION_ERROR ERR_INVALID_ARG_TYPE',
    'ERR_INVALID_ARG_VALUE ERR_INVALID_URL -32602',
  ].flatMap(words),
  auth: [
    ...SYSTEM_CODES.auth,
    'PERMISSION_DENIED UNAUTHENTICATED UNAUTHORIZED FORBIDDEN AUTHENTICATION_ERROR PERMISSION_ERROR',
  ].flatMap(words),
  'not-found': [
    ...SYSTEM_CODES['not-found'],
    'NOT_FOUND NOT_FOUND_ERROR UNIMPLEMENTED -32601',
  ].flatMap(words),
  // Ours, and what a gateway with a breaker of its own says.
  refused: words('CIRCUIT_OPEN CIRCUIT_HALF_OPEN_PROBE_IN_FLIGHT BULKHEAD_FULL'),
  abort: words('ABORT_ERR ERR_CANCELED UND_ERR_ABORTED CANCELLED ABORTED'),
});

/** The system's codes that stand in messages too: `connect ECONNREFUSED 127.0.0.1:80`. */
export const SYSTEM_CODE_IN_TEXT: RegExp = new RegExp(
  `\\b(?:${Object.values(SYSTEM_CODES).flat().join('|')})\\b`,
);

/** What the name of an error says; undefined for those that say nothing of use. */
export function signOfName(name: string): FailureSign | undefined {
  return NAMES.get(name) ?? (TIMEOUT_NAME.test(name) ? 'timeout' : undefined);
}

const TIMEOUT_NAME = /Timed?[oO]ut(?:Error|Exception)?$/;

const NAMES: ReadonlyMap<string, FailureSign> = tableOf<string, FailureSign>({
  transport: words(
    'APIConnectionError ConnectionRefused ConnectionReset ConnectionAborted NotConnected BrokenPipe',
  ),
  server: words('InternalServerError ServiceUnavailableException InternalServerException'),
  'rate-limited': words(
    'RateLimitError ThrottlingException ThrottledException Throttling TooManyRequestsException ' +
      'RequestLimitExceeded ProvisionedThroughputExceededException SlowDown',
  ),
  'invalid-arguments': words(
    'ValidationError ValidationException ZodError $ZodError ValiError BadRequestError InvalidParamsError ' +
      'UnprocessableEntityError ToolInputParsingException AI_InvalidToolInputError ' +
      'AI_InvalidToolArgumentsError AI_TypeValidationError',
  ),
  auth: words(
    'AuthenticationError PermissionDeniedError UnauthorizedError AccessDenied AccessDeniedException ' +
      'UnrecognizedClientException ExpiredTokenException PermissionDenied NotCapable',
  ),
  'not-found': words(
    'NotFoundError NotFoundException ResourceNotFoundException NoSuchKey NoSuchBucket NotFound ' +
      'AI_NoSuchToolError',
  ),
  // Mistakes in the program, whatever else their words speak of.
  'tool-error': words('SyntaxError ReferenceError EvalError'),
  abort: words('AbortError CanceledError CancelledError CancellationError APIUserAbortError'),
});

function words(text: string): readonly string[] {
  return text.split(' ');
}

function tableOf<Key, Sign extends FailureSign = FailureClass>(
  rows: Partial<Record<Sign, readonly Key[]>>,
): ReadonlyMap<Key, Sign> {
  const table = new Map<Key, Sign>();
  for (const [sign, keys] of Object.entries(rows) as [Sign, readonly Key[]][])
    for (const key of keys) table.set(key, sign);
  return table;
}
