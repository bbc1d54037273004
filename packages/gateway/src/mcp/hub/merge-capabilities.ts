import type { JsonObject } from '@holdfast/core';
import { isObject } from '../../proxy/json/json-fields.ts';

/** What a server that is not there yet may turn out to have. */
const ASSUMED: JsonObject = Object.freeze({ tools: {}, prompts: {}, resources: {} });

/** Of these, what several servers have can be put together. */
const MERGED = ['tools', 'prompts', 'resources', 'logging', 'completions'] as const;

/**
 * What the servers have together; `undefined` stands for one that is not connected. Lists can always change: a
 * server may come and go.
 */
export function mergeCapabilities(servers: readonly (JsonObject | undefined)[]): JsonObject {
  const [only] = servers;
  const merged: Record<string, JsonObject> = {};
  // One server alone may have more than we know of.
  if (servers.length === 1 && only !== undefined) Object.assign(merged, only);
  for (const capabilities of servers) {
    for (const name of MERGED) {
      const capability = (capabilities ?? ASSUMED)[name];
      if (isObject(capability)) merged[name] = { ...merged[name], ...capability };
    }
  }
  for (const name of ['tools', 'prompts', 'resources'] as const) {
    if (merged[name] !== undefined) merged[name] = { ...merged[name], listChanged: true };
  }
  return merged;
}
