import type { UpstreamConfig } from '../../config/gateway-config.ts';
import { entryFor, matchesPattern } from './matches-pattern.ts';

/** What an upstream is asked for where a client asks for `model`; undefined where it does not have it. */
export function askedModel(
  { models, modelMap }: Pick<UpstreamConfig, 'models' | 'modelMap'>,
  model: string,
): string | undefined {
  const asked = entryFor(modelMap, model) ?? model;
  const isThere = models.some((pattern) => matchesPattern(pattern, model) || pattern === asked);
  return isThere ? asked : undefined;
}
