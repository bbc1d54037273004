import { isObject } from '../proxy/json/json-fields.ts';
import { kindOf } from '../proxy/json/kind-of.ts';
import type { ToolPostInvokePayload, ToolPreInvokePayload } from './plugin.ts';
import type { ReadPayload } from './read-plugin-result.ts';

/** Before a call, the arguments can be replaced; the tool cannot. */
export const readPrePayload: ReadPayload<ToolPreInvokePayload> = ({ args }, given) => {
  if (!isObject(args)) {
    throw new TypeError(`modified_payload.args: expected an object, got ${kindOf(args)}`);
  }
  return { ...given, args };
};

/** After a call, the result can be replaced. */
export const readPostPayload: ReadPayload<ToolPostInvokePayload> = ({ result }, given) => {
  if (result === undefined) {
    throw new TypeError('modified_payload.result: expected the result, got nothing');
  }
  return { ...given, result };
};
