import type { Sample } from '../invariants/flat.ts';
import type { GatewayProcess } from './gateway-process.ts';
import { measureAtRest } from './measure-at-rest.ts';

/** Counts what the gateway holds once it lets nothing more go. */
export async function sampleGateway(gateway: GatewayProcess, atSeconds: number): Promise<Sample> {
  const { heapUsed, external, rss, resources, openFiles } = await measureAtRest(() =>
    gateway.measure(),
  );
  return {
    atSeconds: Math.round(atSeconds),
    heapBytes: heapUsed,
    externalBytes: external,
    rssBytes: rss,
    openFiles,
    resources: resources.length,
    kinds: countsOf(resources),
  };
}

function countsOf(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
