import { ARRAY, typesOf } from '../../internal/schema-types.ts';
import { newWalk } from '../../internal/schema-values.ts';
import type { JsonObject } from '../../types.ts';
import type { ReadContext } from '../format.ts';
import { parameterSchema } from '../parameter-value.ts';
import type { CallDraft } from '../script/call-draft.ts';
import { endArguments, markersOf } from '../script/read-arguments.ts';
import type { ArgumentsEnd } from '../script/read-arguments.ts';
import type { Declined, Script } from '../script/script.ts';
import type { ScriptInput } from '../script/script-input.ts';

/** The parameter that a list without a key can only be for. */
export function listParameter({ tools }: ReadContext, tool: string): string | undefined {
  const only = tools?.onlyParameterOf(tool);
  if (only === undefined) return undefined;
  const walk = newWalk(tools?.parametersOf(tool), 0);
  const types = typesOf(parameterSchema({ tools }, tool, only), walk);
  return types !== undefined && (types & ARRAY) !== 0 ? only : undefined;
}

/** Reads a JSON list as the value of one parameter, as GLM 5.3 Flash writes it. */
export function* readBareList(
  input: ScriptInput,
  draft: CallDraft,
  parameter: string,
  end: ArgumentsEnd,
): Script<Declined | undefined> {
  const json = yield* input.json(markersOf(end));
  const { value, source, repairs, lossy, complete } = json;
  if (value === undefined) return input.stop(json.failure || 'the arguments are no JSON');
  if (!complete) return input.cutShort();
  const args: JsonObject = { [parameter]: value };
  const text =
    source === undefined ? {} : { argumentsText: `{${JSON.stringify(parameter)}: ${source}}` };
  draft.setAll({ arguments: args, ...text });
  for (const repair of [...repairs, 'missing-outer-braces'] as const) draft.note(repair);
  if (lossy) draft.markLossy();
  yield* endArguments(input, draft, end);
  return undefined;
}
