import { readdirSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Sample } from '../invariants/flat.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** What this process holds after its garbage was collected. */
export function sampleHere(atSeconds: number): Sample {
  collectGarbage();
  collectGarbage();
  const { heapUsed, external, rss } = process.memoryUsage();
  const resources = process.getActiveResourcesInfo();
  return {
    atSeconds: Math.round(atSeconds),
    heapBytes: heapUsed,
    externalBytes: external,
    rssBytes: rss,
    openFiles: openFilesHere(),
    resources: resources.length,
    kinds: {},
  };
}

function openFilesHere(): number | undefined {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return undefined;
  }
}
