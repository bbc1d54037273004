import { isObject, readKey } from './error-layers.ts';

/** How much of a message is read: what it is about stands at its beginning. */
export const READ_CHARACTERS = 500;
/** Codes and names are short; what is longer is something else. */
const MAX_CODE_LENGTH = 80;

/** The HTTP status of a failed answer, wherever a library keeps it. */
export function statusOf(layer: unknown): number | undefined {
  const response = readKey(layer, 'response');
  return (
    failedStatus(readKey(layer, 'status')) ??
    failedStatus(readKey(layer, 'statusCode')) ??
    failedStatus(readKey(layer, 'status_code')) ??
    failedStatus(readKey(response, 'status')) ??
    failedStatus(readKey(response, 'statusCode')) ??
    failedStatus(readKey(readKey(layer, '$metadata'), 'httpStatusCode')) ??
    // No other numeric code lies there: exit codes end at 255, those of JSON-RPC are negative.
    failedStatus(readKey(layer, 'code'))
  );
}

function failedStatus(value: unknown): number | undefined {
  const status = typeof value === 'string' && value.length === 3 ? Number(value) : value;
  if (typeof status !== 'number' || !Number.isInteger(status)) return undefined;
  return status >= 400 && status < 600 ? status : undefined;
}

/** What calls itself a code: `ECONNREFUSED`, `-32602`, `UNAVAILABLE`, `rate_limit_error`. */
export function codesOf(layer: unknown): readonly string[] {
  const code = readKey(layer, 'code');
  const found: string[] = [];
  if (typeof code === 'number') {
    if (code < 0) found.push(String(code));
    else if (isGrpcError(layer) && GRPC_CODES[code] !== undefined) found.push(GRPC_CODES[code]);
  } else addCode(found, code);
  addCode(found, readKey(layer, 'status'));
  addCode(found, readKey(layer, 'type'));
  return found;
}

function addCode(codes: string[], value: unknown): void {
  if (isShortText(value)) codes.push(value);
}

/** Small numbers are codes of many things; only with these two beside it is one a code of gRPC. */
function isGrpcError(layer: unknown): boolean {
  return typeof readKey(layer, 'details') === 'string' && isObject(readKey(layer, 'metadata'));
}

const GRPC_CODES: readonly string[] = (
  'OK CANCELLED UNKNOWN INVALID_ARGUMENT DEADLINE_EXCEEDED NOT_FOUND ALREADY_EXISTS PERMISSION_DENIED ' +
  'RESOURCE_EXHAUSTED FAILED_PRECONDITION ABORTED OUT_OF_RANGE UNIMPLEMENTED INTERNAL UNAVAILABLE DATA_LOSS ' +
  'UNAUTHENTICATED'
).split(' ');

/** The name an error has, or that of its class: many libraries set only the latter. */
export function nameOf(layer: unknown): string | undefined {
  const name = readKey(layer, 'name');
  if (isShortText(name) && name !== 'Error') return name;
  const className = readKey(readKey(layer, 'constructor'), 'name');
  return isShortText(className) ? className : undefined;
}

/** Whether it can be a code or a name. */
export function isShortText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MAX_CODE_LENGTH;
}

/** What it says; undefined where it says nothing. */
export function messageOf(layer: unknown): string | undefined {
  const message = typeof layer === 'string' ? layer : readKey(layer, 'message');
  return typeof message === 'string' && message !== '' ? message : undefined;
}

/** The beginning of what it says, for patterns to look at. */
export function messageStart(layer: unknown): string | undefined {
  const message = messageOf(layer);
  if (message === undefined || message.length <= READ_CHARACTERS) return message;
  return message.slice(0, READ_CHARACTERS);
}
