import type { JsonObject } from '@holdfast/core';
import { circuitStatus } from '../circuit-status.ts';
import type { ToolModes } from './prompt/tool-modes.ts';
import type { ProxyCounts } from './proxy-counts.ts';
import type { ReasoningStarts } from './reasoning/reasoning-starts.ts';
import type { Upstreams } from './upstream/upstreams.ts';

/** What the proxy knows by now, for those who operate it. */
export function proxyStatus(
  upstreams: Upstreams,
  modes: ToolModes,
  starts: ReasoningStarts,
  counts: ProxyCounts,
): JsonObject {
  const circuits = upstreams.all.flatMap(({ guard }) => guard.circuits);
  return {
    circuits: circuits.map(circuitStatus),
    tool_modes: modes.entries().map(({ upstream, model, mode, why }) => ({
      upstream,
      model,
      mode,
      why,
    })),
    reasoning_starts: starts
      .entries()
      .map(({ upstream, model, startsInReasoning, why, expiresInMs }) => ({
        upstream,
        model,
        starts_in_reasoning: startsInReasoning,
        why,
        expires_in_seconds: Math.ceil(expiresInMs / 1000),
      })),
    counts: {
      turns: counts.turns,
      failed: counts.failed,
      calls: counts.calls,
      retries: counts.retries,
      failovers: counts.failovers,
      advised: counts.advised,
      asked_again: counts.askedAgain,
      prompted: counts.prompted,
    },
  };
}
