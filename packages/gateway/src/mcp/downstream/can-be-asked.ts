import { METHOD_NOT_FOUND, ProtocolFault } from '../protocol-fault.ts';
import type { ClientView } from '../exchange.ts';

const NEEDS: Readonly<Record<string, string>> = {
  'sampling/createMessage': 'sampling',
  'elicitation/create': 'elicitation',
  'roots/list': 'roots',
};

/** Throws where the client never said that it can be asked this. */
export function assertCanBeAsked({ capabilities, era }: ClientView, method: string): void {
  const needed = Object.hasOwn(NEEDS, method) ? NEEDS[method] : undefined;
  if (needed === undefined) {
    // A legacy client answers by itself that it does not know a request; a modern one gives up the whole call.
    if (era === 'legacy') return;
    throw new ProtocolFault(METHOD_NOT_FOUND, `Method not found: ${method}`);
  }
  if (capabilities[needed] !== undefined) return;
  throw new ProtocolFault(METHOD_NOT_FOUND, `the client does not support ${needed}`);
}
