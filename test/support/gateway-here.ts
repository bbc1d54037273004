import { memoryLogger } from '../../packages/gateway/src/log/memory-logger.case.ts';
import type { MemoryLogger } from '../../packages/gateway/src/log/memory-logger.case.ts';
import { loadConfig } from '../../packages/gateway/src/config/load-config.ts';
import { startGateway } from '../../packages/gateway/src/start-gateway.ts';
import type { Gateway, StartGatewayOptions } from '../../packages/gateway/src/start-gateway.ts';

export interface GatewayHere extends Gateway {
  readonly log: MemoryLogger;
}

/** A gateway in this very process, from source, on a free port. It keeps no history. */
export async function startGatewayHere(
  file: object,
  options: Omit<StartGatewayOptions, 'log'> = {},
): Promise<GatewayHere> {
  const text = JSON.stringify({
    listen: '127.0.0.1:0',
    shutdownGraceMs: 100,
    observe: { history: false },
    ...file,
  });
  const loaded = loadConfig(text, { file: 'holdfast.yaml', env: {} });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  const log = memoryLogger();
  return { ...(await startGateway(loaded.config, { ...options, log })), log };
}
