import type { JsonObject } from '@holdfast/core';
import { RequestError } from '../../http/request-error.ts';
import { asToolSaid } from '../../mcp/call/as-server-said.ts';
import type { Reporter } from '../../observe/reporter.ts';
import type { Operation, OperationExample } from '../operation.ts';
import type { CallRuns } from './call-runs.ts';
import { answerInvoke } from './invoke-answer.ts';
import { CALLER, ID, INVOKE_ANSWERS, invokeAnswer } from './invoke-schemas.ts';
import { readPluginCall } from './read-plugin-call.ts';
import type { PluginSource } from './plugin-source.ts';
import { runPlugins } from './run-plugins.ts';
import { tellResult } from './tell-call.ts';

/** Tells the plugins of the gateway what became of a call, and takes what they make of its result. */
export function createToolPostInvoke(
  runs: CallRuns,
  plugins: PluginSource,
  report?: Reporter,
): Operation {
  return {
    name: 'hooks/tool_post_invoke',
    summary: 'Tells what a tool returned, and gives it back as the model should see it.',
    takes: TAKES,
    gives: GIVES,
    otherAnswers: INVOKE_ANSWERS,
    example: EXAMPLE,
    async run(body, { log }) {
      const { result = null } = body;
      const timedOut = body['timed_out'] === true;
      if (!timedOut && !Object.hasOwn(body, 'result'))
        throw new RequestError(400, 'invalid-request', NO_RESULT);
      const host = await plugins();
      const ended = runs.end(readPluginCall(body), host);
      const { call } = ended;
      const said = asToolSaid(result);
      const { tool } = call;
      const beginning = ended.hasBegun ? {} : { without_pre_invoke: true };
      const outcome = await runPlugins(log, tool, async () => ended.run?.post(said, { timedOut }));
      const told = outcome.ok ? outcome.value : { violation: outcome.violation, result: said };
      const durationMs = runs.sinceBegin(ended);
      if (report !== undefined)
        tellResult(report, { call, host, durationMs, result: said, timedOut, told });
      if (!outcome.ok) return answerInvoke({ violation: outcome.violation, metadata: beginning });
      const { violation, metadata, result: next = said, retryDelayMs } = outcome.value ?? {};
      if (retryDelayMs !== undefined) runs.again(ended);
      return answerInvoke({
        metadata: { ...metadata, ...beginning },
        ...(violation !== undefined && { violation }),
        ...(next !== result && { modifiedPayload: { name: tool, result: next } }),
        ...(retryDelayMs !== undefined && { retryDelayMs }),
      });
    },
  };
}

const NO_RESULT =
  'result is missing; expected what the tool returned, or timed_out: true where nothing came';

const ANYTHING: JsonObject = {
  description: 'What it returned: a result of MCP, a text, or any other JSON.',
};

const TAKES: JsonObject = {
  type: 'object',
  properties: {
    request_id: { ...ID, description: 'That of tool_pre_invoke.' },
    name: { ...ID, description: 'The tool.' },
    result: ANYTHING,
    timed_out: {
      type: 'boolean',
      description: 'Nothing came in time, which counts as a failure. It needs no result.',
    },
    ...CALLER,
  },
  required: ['request_id', 'name'],
  additionalProperties: false,
};

const GIVES: JsonObject = invokeAnswer(
  { result: ANYTHING },
  {
    retry_delay_ms: {
      type: 'number',
      description:
        'A plugin asks for the call to be made again after this time. Do so only where that does no harm, with the same request_id.',
    },
  },
);

const EXAMPLE: OperationExample = {
  takes: {
    request_id: 'turn-7-call-1',
    name: 'payment_api',
    result: { content: [{ type: 'text', text: 'HTTP 502 Bad Gateway' }], isError: true },
  },
  gives: {
    continue_processing: true,
    metadata: {
      circuit_calls_in_window: 1,
      circuit_failures_in_window: 1,
      circuit_failure_rate: 1,
      circuit_consecutive_failures: 1,
      circuit_open_until: 0,
      circuit_half_open: false,
      circuit_retry_after_seconds: 0,
    },
  },
};
