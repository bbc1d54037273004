/** An error that a server answered with, as JSON-RPC has it. */
export interface ProtocolError {
  readonly code: number;
}

/**
 * Whether a server answered with an error of the protocol. It is passed on as it is: the client has to see its
 * code and data. What a DOMException has under that name is something else.
 */
export function isProtocolError(error: unknown): error is ProtocolError {
  if (typeof error !== 'object' || error === null || error instanceof DOMException) return false;
  return 'code' in error && Number.isInteger(error.code);
}

/**
 * Whether such an error only asks the client for something: to let its user open a page, or to be able to do
 * more. The server is well, and so is the tool.
 */
export function asksClient({ code }: ProtocolError): boolean {
  return code === URL_ELICITATION_REQUIRED || code === MISSING_CLIENT_CAPABILITY;
}

const URL_ELICITATION_REQUIRED = -32042;
const MISSING_CLIENT_CAPABILITY = -32021;
