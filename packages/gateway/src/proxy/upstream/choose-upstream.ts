import type { UpstreamConfig } from '../../config/gateway-config.ts';
import { matchesPattern } from './matches-pattern.ts';

/** An upstream, and the name of the model it is asked for. */
export interface ChosenUpstream {
  readonly upstream: UpstreamConfig;
  readonly model: string;
}

/** The first upstream that has the model; undefined where none has it. */
export function chooseUpstream(
  upstreams: readonly UpstreamConfig[],
  model: string,
): ChosenUpstream | undefined {
  for (const upstream of upstreams) {
    const asked = mapModel(upstream.modelMap, model);
    if (upstream.models.some((pattern) => matchesPattern(pattern, model) || pattern === asked))
      return { upstream, model: asked };
  }
  return undefined;
}

/** What the upstream calls the model: an entry of that very name, else the first pattern that fits. */
function mapModel(modelMap: UpstreamConfig['modelMap'], model: string): string {
  if (Object.hasOwn(modelMap, model)) return modelMap[model] ?? model;
  const fitting = Object.entries(modelMap).find(([pattern]) => matchesPattern(pattern, model));
  return fitting?.[1] ?? model;
}
