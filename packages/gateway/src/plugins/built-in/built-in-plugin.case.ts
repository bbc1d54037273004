import type { JsonObject, JsonValue } from '@holdfast/core';
import { hostOfYaml } from '../plugin-host.case.ts';
import type { PostOutcome, PreOutcome } from '../plugin-run.ts';

/** A result of a tool that says this. */
export function text(said: string): JsonObject {
  return { content: [{ type: 'text', text: said }] };
}

/** A result of a tool that failed with this. */
export function failed(said: string): JsonObject {
  return { isError: true, ...text(said) };
}

/** What the plugins of a file make of a result. */
export async function post(
  yaml: string,
  result: JsonValue,
  random?: () => number,
): Promise<PostOutcome> {
  const run = (await hostOfYaml(yaml, {}, random)).begin();
  await run.pre({});
  return run.post(result);
}

/** What they make of arguments. */
export async function pre(yaml: string, args: JsonObject): Promise<PreOutcome> {
  return (await hostOfYaml(yaml)).begin().pre(args);
}
