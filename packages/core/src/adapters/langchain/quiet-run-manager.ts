import { isRecord } from '../../advise/conversation/record.ts';
import type { UnknownRecord } from '../../advise/conversation/record.ts';
import { callFunction, isFunction } from '../guarding/call-function.ts';
import { withMethods } from '../guarding/with-methods.ts';

/** A run manager that tells nobody of tokens: those that the provider tells of are not mended yet. */
export function quietRunManager(runManager: unknown): {
  readonly manager: unknown;
  readonly wasTold: () => boolean;
} {
  let isTold = false;
  const handleLLMNewToken = (): Promise<void> => {
    isTold = true;
    return Promise.resolve();
  };
  const manager = isRecord(runManager)
    ? withMethods(runManager, { handleLLMNewToken })
    : runManager;
  return { manager, wasTold: () => isTold };
}

/** Tells callbacks of a chunk as integrations do, once it is what it will be. */
export async function tellToken(runManager: unknown, chunk: UnknownRecord): Promise<void> {
  const tell = isRecord(runManager) ? runManager['handleLLMNewToken'] : undefined;
  if (!isFunction(tell)) return;
  const { text, generationInfo } = chunk;
  const { prompt = 0, completion = 0 } = isRecord(generationInfo) ? generationInfo : {};
  const indices = { prompt, completion };
  await callFunction(tell, runManager, [
    text ?? '',
    indices,
    undefined,
    undefined,
    undefined,
    { chunk },
  ]);
}
