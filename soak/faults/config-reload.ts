import { BROKEN_CONFIG, FIRST_VARIANT, gatewayConfig } from '../world/gateway-config.ts';
import { toolsWork } from '../world/probes.ts';
import type { Fault, FaultMeans } from './fault.ts';

/** The configuration is loaded again, with other settings of the proxy, of MCP, of both, the same, or a broken file. */
export const configReload: Fault = {
  kind: 'config-reload',
  target: 'config',
  minMs: 500,
  maxMs: 2000,
  begin: async ({ world, dice }: FaultMeans) => {
    const { gateway, places } = world;
    const draw = dice.pick(['same', 'proxy', 'mcp', 'both', 'broken']);
    const hasProxy = draw === 'proxy' || draw === 'both';
    const hasMcp = draw === 'mcp' || draw === 'both';
    const variant = {
      retryBaseMs: hasProxy ? dice.whole(20, 100) : FIRST_VARIANT.retryBaseMs,
      maxResultBytes: hasMcp ? dice.whole(500_000, 999_999) : FIRST_VARIANT.maxResultBytes,
    };
    gateway.reload(draw === 'broken' ? BROKEN_CONFIG : gatewayConfig(places, variant));
    return () => gateway.reload(gatewayConfig(places, FIRST_VARIANT));
  },
  hits: ({ gateway: { log } }) =>
    log.countOf('configuration loaded') + log.countOf('the configuration stays as it was'),
  hasRecovered: toolsWork,
};
