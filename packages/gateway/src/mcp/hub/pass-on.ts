import type { Clock, JsonObject } from '@holdfast/core';
import { ToolTimeoutError } from '@holdfast/core/guard';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import { CallWatch } from '../call/call-watch.ts';
import type { Exchange, Message } from '../exchange.ts';
import { INTERNAL_ERROR, ProtocolFault } from '../protocol-fault.ts';
import type { UpstreamServer } from '../upstream/upstream-server.ts';
import { sendTo } from './send-to.ts';

/** Asks a server for what is no tool call, within the time that its tools have too. */
export async function passOn(
  server: UpstreamServer,
  message: Message,
  exchange: Exchange,
  clock: Clock,
  telemetry?: Telemetry,
): Promise<JsonObject> {
  const { timeoutMs: idleMs, maxDurationMs } = server.config;
  const name = `${message.method} of ${server.name}`;
  const deadlineAt = clock.now() + maxDurationMs;
  const watch = new CallWatch(1, clock, { name, idleMs, maxDurationMs, deadlineAt });
  const { signal: gone } = exchange;
  const stop = (): void => watch.stop(gone.reason);
  if (gone.aborted) stop();
  gone.addEventListener('abort', stop, { once: true });
  try {
    return await watch.run(() => sendTo(server, message, exchange, { watch, telemetry }));
  } catch (error) {
    if (error instanceof ToolTimeoutError) throw new ProtocolFault(INTERNAL_ERROR, error.message);
    throw error;
  } finally {
    gone.removeEventListener('abort', stop);
  }
}
