import type { UpstreamConfig } from '../../config/gateway-config.ts';
import { matchesPattern } from './matches-pattern.ts';

/** What an upstream is asked for where a client asks for `model`; undefined where it does not have it. */
export function askedModel(
  { models, modelMap }: Pick<UpstreamConfig, 'models' | 'modelMap'>,
  model: string,
): string | undefined {
  const asked = mapModel(modelMap, model);
  const isThere = models.some((pattern) => matchesPattern(pattern, model) || pattern === asked);
  return isThere ? asked : undefined;
}

/** What the upstream calls the model: an entry of that very name, else the first pattern that fits. */
function mapModel(modelMap: UpstreamConfig['modelMap'], model: string): string {
  if (Object.hasOwn(modelMap, model)) return modelMap[model] ?? model;
  const fitting = Object.entries(modelMap).find(([pattern]) => matchesPattern(pattern, model));
  return fitting?.[1] ?? model;
}
