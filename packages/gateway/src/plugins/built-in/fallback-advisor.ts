import type { JsonObject, JsonValue } from '@holdfast/core';
import { ADVICE_PREFIX, Advisors, splitAdvice } from '@holdfast/core/advise';
import type { Advisor } from '@holdfast/core/advise';
import { readReturned } from '@holdfast/core/guard';
import { z } from 'zod';
import { advisorShape } from '../../config/advisor-schema.ts';
import { section } from '../../config/schema-parts.ts';
import { textBlock } from '../../mcp/messages.ts';
import { isObject, listOf, objectOf, textOf } from '../../proxy/json/json-fields.ts';
import type { Plugin, PluginContext } from '../plugin.ts';
import type { BuiltInPlugin, PluginMeans } from './built-in-plugin.ts';
import { builtIn } from './built-in-plugin.ts';

const VETO = 'on or off';

const schema = section({
  tool_threshold: advisorShape.toolThreshold,
  step_back_failures: advisorShape.stepBackFailures,
  step_back_window: advisorShape.stepBackWindow,
  rearm_successes: advisorShape.rearmSuccesses,
  veto: z
    .union([z.enum(['on', 'off']), z.boolean()], { error: VETO })
    .default('off')
    .describe('Whether a call that only repeats what failed is stopped.'),
  advice: advisorShape.advice,
});

/** Tells the model what to do after failures, on the result that failed. */
export const fallbackAdvisor: BuiltInPlugin = builtIn(schema, createFallbackAdvisor);

const ARGUMENTS = 'arguments';
/** How much of a result is looked at; what failed is said at the beginning or at the end of it. */
const MOST_READ = 65_536;

function createFallbackAdvisor(config: z.output<typeof schema>, { onEvent }: PluginMeans): Plugin {
  const advisors = new Advisors({
    toolThreshold: config.tool_threshold,
    stepBackFailures: config.step_back_failures,
    stepBackWindow: config.step_back_window,
    rearmSuccesses: config.rearm_successes,
    veto: config.veto === true || config.veto === 'on' ? 'on' : 'off',
    advice: config.advice,
    ...(onEvent === undefined ? {} : { onEvent }),
  });
  const advisorOf = ({ conversation_id, tenant_id, user }: PluginContext): Advisor =>
    advisors.of(conversation_id ?? JSON.stringify([tenant_id ?? '', user ?? '']));
  return {
    tool_pre_invoke: ({ args }, context) => {
      const { request_id: id, shown_name: tool, state } = context;
      state[ARGUMENTS] = args;
      const { veto } = advisorOf(context).before({ tool, arguments: args, id });
      if (veto === undefined) return undefined;
      const { rule, text: description } = veto;
      const reason = 'The call only repeats what failed';
      return { violation: { reason, description, code: 'CALL_REPEATED', details: { rule } } };
    },
    tool_post_invoke: (payload, context) => {
      const { request_id: id, shown_name: tool, state } = context;
      const args = isObject(state[ARGUMENTS]) ? state[ARGUMENTS] : {};
      const { result } = payload;
      const timedOut = state['cb_timeout_failure'] === true;
      const failure = readReturned(result);
      const failureClass = timedOut ? 'timeout' : failure?.class;
      const { advice } = advisorOf(context).after(
        { tool, arguments: args, id },
        {
          tool,
          output: outputOf(result).slice(-MOST_READ),
          isError: timedOut || failure !== undefined,
          ...(failureClass === undefined ? {} : { failureClass }),
        },
      );
      const advised = advice === undefined ? undefined : withAdvice(result, advice.text);
      return advised === undefined
        ? undefined
        : { modified_payload: { ...payload, result: advised } };
    },
  };
}

/** The result with advice as an added text; undefined where another plugin gave some, or it cannot take any. */
function withAdvice(result: JsonValue, advice: string): JsonValue | undefined {
  if (typeof result === 'string')
    return splitAdvice(result).advice === undefined ? `${result}\n\n${advice}` : undefined;
  if (!isObject(result) || !Array.isArray(result['content'])) return undefined;
  const content = listOf(result['content']);
  const isAdvised = content.some((block) =>
    textOf(objectOf(block)['text']).startsWith(ADVICE_PREFIX),
  );
  return isAdvised ? undefined : { ...result, content: [...content, textBlock(advice)] };
}

function outputOf(result: JsonValue): string {
  if (typeof result === 'string') return result;
  const { content }: JsonObject = objectOf(result);
  const texts = listOf(content).map((block) => textOf(objectOf(block)['text']));
  return texts.filter((text) => text !== '').join('\n');
}
