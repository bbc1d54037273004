import { countOf } from '../proxy/json/json-fields.ts';
import type { GatewayAddress } from './gateway-address.ts';
import { followGateway } from './follow-gateway.ts';
import type { GatewayMessage } from './follow-gateway.ts';
import { counted } from './format-amount.ts';
import type { Io } from './io.ts';
import { safeText } from './safe-text.ts';
import { stopSignal } from './stop-signal.ts';

export interface PrintOptions {
  /** With its query. */
  readonly path: string;
  /** By what name the gateway tells that something could not be told. */
  readonly lost: 'events-lost' | 'logs-lost';
  /** Undefined for what is not shown. */
  readonly format: (message: GatewayMessage) => string | undefined | Promise<string | undefined>;
}

/** Prints what happens in a gateway, a line each, until the program is told to stop. */
export async function printEvents(
  address: GatewayAddress,
  io: Io,
  { path, lost, format }: PrintOptions,
): Promise<void> {
  const stop = stopSignal(io);
  const say = (text: string): void => io.stderr.write(`holdfast: ${safeText(text)}\n`);
  try {
    const messages = followGateway(address, {
      io,
      path,
      signal: stop.signal,
      onLost: (reason) => say(`${address.origin} is gone: ${reason}; trying again`),
      onBack: () => say(`${address.origin} is back`),
    });
    for await (const message of messages) {
      if (message.type === lost) {
        const what = lost === 'logs-lost' ? 'line' : 'event';
        say(`${counted(countOf(message.data['count']) ?? 0, what)} came faster than could be told`);
      }
      const line = await format(message);
      if (line === undefined) continue;
      io.stdout.write(`${line}\n`);
      await io.stdout.drained();
    }
  } finally {
    stop.forget();
  }
}
