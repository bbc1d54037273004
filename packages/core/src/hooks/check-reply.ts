import { InvalidOptionError } from '../errors.ts';
import type { BeforeReply } from './extension.ts';

/** What an extension before a tool returned, or an error that says what is wrong with it. */
export function checkBeforeReply(reply: unknown): BeforeReply {
  if (reply === undefined || reply === null) return {};
  if (!isObject(reply))
    throw new InvalidOptionError('reply', 'an object with toolArgs, notice or veto', reply);
  const { toolArgs, notice, veto } = reply;
  if (toolArgs !== undefined && !isObject(toolArgs))
    throw new InvalidOptionError('reply.toolArgs', 'an object', toolArgs);
  for (const [name, value] of Object.entries({ notice, veto }))
    if (value !== undefined && typeof value !== 'string')
      throw new InvalidOptionError(`reply.${name}`, 'a string', value);
  return reply;
}

/** The text an extension after a tool wants to add, '' for none. */
export function checkAfterReply(reply: unknown): string {
  if (reply === undefined || reply === null) return '';
  if (typeof reply !== 'string') throw new InvalidOptionError('reply', 'a string to add', reply);
  return reply;
}

/** The message without what a mask took out. */
export function checkMasked(masked: unknown): string {
  if (typeof masked !== 'string')
    throw new InvalidOptionError('masked', 'the message as a string', masked);
  return masked;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
