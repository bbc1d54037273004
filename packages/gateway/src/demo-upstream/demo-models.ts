import {
  parseToolCalls,
  RENDER_FORMATS,
  renderToolCall,
  ToolRenderError,
} from '@holdfast/core/parse';
import type { RenderableCall, ToolDefinition } from '@holdfast/core/parse';
import { BROKEN } from './broken-dialects.ts';
import { HAND_WRITTEN } from './hand-written-dialects.ts';
import type { WriteCall } from './hand-written-dialects.ts';

/** A model of the demo upstream: it always writes its calls in the one way. */
export interface DemoModel {
  readonly id: string;
  /** Whether its calls stand alone in a message: without markers, a call in prose is an example. */
  readonly isAlone: boolean;
  write(call: RenderableCall, tools: readonly ToolDefinition[]): string;
}

/** Writes in another dialect each time. */
export const ANY_MODEL = 'demo';

/** Dialects whose calls have no marker of their own. */
const ALONE = new Set(['generic-json', 'llama3-json', 'openai', 'pythonic', 'xlam']);

/** One model for each dialect and for each mistake, by the same name. */
export const DEMO_MODELS: readonly DemoModel[] = [
  ...RENDER_FORMATS.map((id) => model(id, (call, tools) => renderToolCall(call, id, { tools }))),
  ...Object.entries(HAND_WRITTEN).map(([id, write]) => model(id, write)),
  ...Object.entries(BROKEN).map(([id, write]) => model(id, write)),
].sort((a, b) => (a.id < b.id ? -1 : 1));

function model(id: string, write: DemoModel['write'] | WriteCall): DemoModel {
  return { id, isAlone: ALONE.has(id), write: (call, tools) => orQwen(write, call, tools) };
}

/** Some dialects cannot say every name or value; this one can say every call. */
function orQwen(
  write: DemoModel['write'],
  call: RenderableCall,
  tools: readonly ToolDefinition[],
): string {
  try {
    const text = write(call, tools);
    if (readsBack(text, call, tools)) return text;
  } catch (error) {
    if (!(error instanceof ToolRenderError)) throw error;
  }
  return renderToolCall(call, 'qwen');
}

function readsBack(text: string, call: RenderableCall, tools: readonly ToolDefinition[]): boolean {
  const [read, ...others] = parseToolCalls(text, { tools }).calls;
  return (
    others.length === 0 &&
    read?.name === call.name &&
    JSON.stringify(read.arguments) === JSON.stringify(call.arguments)
  );
}
