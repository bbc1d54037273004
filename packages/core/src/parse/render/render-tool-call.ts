import { InvalidOptionError, ToolRenderError } from '../../errors.ts';
import { keepDigits } from '../../internal/exact-json.ts';
import { toolDefinitions } from '../../internal/tool-definitions.ts';
import type { ToolsInput } from '../../types.ts';
import { isJsonObject } from '../call-keys.ts';
import { OfferedTools } from '../offered-tools.ts';
import { checkRenderable } from './check-renderable.ts';
import { dialectOf } from './dialect-of.ts';
import { readsBack } from './reads-back.ts';
import type { RenderableCall } from './render-dialect.ts';

/** How a call is written. */
export interface RenderOptions {
  /**
   * The tools that the text will be read with. What is written is then read back with them, and refused if
   * it does not say the same. Without them, the schemas are taken to fit the calls.
   */
  readonly tools?: ToolsInput | undefined;
}

/**
 * Writes one call, or several made at once, the way a model of that format does. What is written reads back
 * as the same calls; what a format cannot say is a `ToolRenderError`.
 */
export function renderToolCall(
  call: RenderableCall | readonly RenderableCall[],
  format: string,
  options: RenderOptions = {},
): string {
  const dialect = dialectOf(format);
  const calls = isList(call) ? call : [call];
  if (calls.length === 0) throw new InvalidOptionError('call', 'at least one call', calls);
  for (const { name, arguments: args, argumentsText } of calls) {
    checkRenderable(format, name, 'arguments', args);
    if (!isJsonObject(args))
      throw new InvalidOptionError(`arguments of ${name}`, 'an object', args);
    if (argumentsText !== undefined) keepDigits(argumentsText, args);
  }
  const { tools } = options;
  if (tools === undefined) return dialect.writeCalls(calls);
  const text = dialect.writeCalls(calls, OfferedTools.of(tools));
  if (readsBack(text, calls, format, toolDefinitions(tools))) return text;
  const names = calls.map(({ name }) => name).join(', ');
  throw new ToolRenderError(
    `${format} cannot write ${names}: by the schemas of the tools it would read back as something else`,
  );
}

function isList(
  call: RenderableCall | readonly RenderableCall[],
): call is readonly RenderableCall[] {
  return Array.isArray(call);
}
