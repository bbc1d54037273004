import type { JsonObject } from '@holdfast/core';
import { readJsonObject } from '../json/read-json-object.ts';
import type { ResponseEvent } from './response-event.ts';
import type { ResponseTool } from './response-tools.ts';

/** A call as its item tells it: a custom tool takes text, a function takes JSON. */
export interface CallShape {
  readonly type: 'function_call' | 'custom_tool_call';
  readonly prefix: string;
  /** The field that holds what the tool is called with. */
  readonly field: 'arguments' | 'input';
  readonly delta: string;
  readonly done: string;
}

const FUNCTION: CallShape = Object.freeze({
  type: 'function_call',
  prefix: 'fc_',
  field: 'arguments',
  delta: 'response.function_call_arguments.delta',
  done: 'response.function_call_arguments.done',
});

const CUSTOM: CallShape = Object.freeze({
  type: 'custom_tool_call',
  prefix: 'ctc_',
  field: 'input',
  delta: 'response.custom_tool_call_input.delta',
  done: 'response.custom_tool_call_input.done',
});

/** How calls of a tool are told; a tool that nobody offered is taken for a function. */
export function callShape(tool: ResponseTool | undefined): CallShape {
  return tool?.kind === 'custom' ? CUSTOM : FUNCTION;
}

/** What a custom tool is called with: the model gives its text as `input`. */
export function customInput(json: string): string {
  const input = readJsonObject(json)?.['input'];
  return typeof input === 'string' ? input : json;
}

/** The item of a call before its arguments are told. `known` is the upstream's own, if there is one. */
export function callItem(
  call: { readonly id: string; readonly name: string },
  tool: ResponseTool | undefined,
  itemId: string,
  known: JsonObject = {},
): JsonObject {
  const { type, field } = callShape(tool);
  const { namespace } = tool ?? {};
  return {
    ...known,
    id: itemId,
    type,
    status: 'in_progress',
    [field]: '',
    call_id: call.id,
    name: tool?.name ?? call.name,
    ...(namespace !== undefined && { namespace }),
  };
}

/** What ends a call, and the item as it is then. */
export function endOfCall(
  index: number,
  begun: JsonObject,
  shape: CallShape,
  text: string,
): { readonly events: readonly ResponseEvent[]; readonly item: JsonObject } {
  const { id = '', name = '' } = begun;
  const item: JsonObject = { ...begun, status: 'completed', [shape.field]: text };
  const place = { item_id: id, output_index: index };
  const named = shape === FUNCTION ? { name } : {};
  return {
    events: [
      { type: shape.done, ...place, ...named, [shape.field]: text },
      { type: 'response.output_item.done', output_index: index, item },
    ],
    item,
  };
}
