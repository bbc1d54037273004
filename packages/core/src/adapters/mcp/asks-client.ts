import { isRecord } from '../../advise/conversation/record.ts';

/**
 * Whether an error of the protocol only asks the client for something: to let its user open a page, or to be
 * able to do more. The tool is well, and the client has to see the error as it is.
 */
export function asksClient(error: unknown): boolean {
  const code = isRecord(error) ? error['code'] : undefined;
  return code === URL_ELICITATION_REQUIRED || code === MISSING_CLIENT_CAPABILITY;
}

const URL_ELICITATION_REQUIRED = -32042;
const MISSING_CLIENT_CAPABILITY = -32021;
