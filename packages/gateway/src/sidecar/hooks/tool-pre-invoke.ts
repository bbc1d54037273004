import type { JsonObject } from '@holdfast/core';
import { isObject, objectOf, textOf } from '../../proxy/json/json-fields.ts';
import type { Reporter } from '../../observe/reporter.ts';
import type { Operation, OperationExample } from '../operation.ts';
import type { CallRuns } from './call-runs.ts';
import { answerInvoke } from './invoke-answer.ts';
import { CALLER, ID, INVOKE_ANSWERS, invokeAnswer } from './invoke-schemas.ts';
import { readPluginCall } from './read-plugin-call.ts';
import type { PluginSource } from './plugin-source.ts';
import { runPlugins } from './run-plugins.ts';
import { tellRefused } from './tell-call.ts';

/** Asks the plugins of the gateway whether a tool may be called, and with what. */
export function createToolPreInvoke(
  runs: CallRuns,
  plugins: PluginSource,
  report?: Reporter,
): Operation {
  return {
    name: 'hooks/tool_pre_invoke',
    summary: 'Asks before a tool is called: may it be, and with which arguments?',
    takes: TAKES,
    gives: GIVES,
    otherAnswers: INVOKE_ANSWERS,
    example: EXAMPLE,
    async run(body, { log }) {
      const call = readPluginCall(body);
      const args = objectOf(body['args']);
      const headers = headersIn(body);
      const host = await plugins();
      const begun = runs.begin(call, host);
      const outcome = await runPlugins(log, call.tool, async () => begun.run?.pre(args, headers));
      if (!outcome.ok) {
        runs.refused(begun);
        const { violation } = outcome;
        if (report !== undefined) tellRefused(report, { call, host, violation });
        return answerInvoke({ violation, metadata: {} });
      }
      const { violation, metadata = {}, args: next = args } = outcome.value ?? {};
      if (violation === undefined) runs.called(begun);
      else {
        runs.refused(begun);
        if (report !== undefined) tellRefused(report, { call, host, violation });
      }
      const payload = { name: call.tool, args: next, ...(headers !== undefined && { headers }) };
      return answerInvoke({
        metadata,
        ...(violation !== undefined && { violation }),
        ...(next !== args && { modifiedPayload: payload }),
      });
    },
  };
}

/** Of a body that fits its schema. */
function headersIn(body: JsonObject): Readonly<Record<string, string>> | undefined {
  const { headers } = body;
  if (!isObject(headers)) return undefined;
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, textOf(value)]));
}

const HEADERS: JsonObject = { type: 'object', additionalProperties: { type: 'string' } };

const TAKES: JsonObject = {
  type: 'object',
  properties: {
    request_id: { ...ID, description: 'Of this call, the same after it. Every call has its own.' },
    name: { ...ID, description: 'The tool.' },
    args: { type: 'object', description: 'What it is about to be called with.' },
    headers: { ...HEADERS, description: 'Those the tool is asked with over HTTP.' },
    ...CALLER,
  },
  required: ['request_id', 'name', 'args'],
  additionalProperties: false,
};

const GIVES: JsonObject = invokeAnswer({ args: { type: 'object' }, headers: HEADERS });

const EXAMPLE: OperationExample = {
  takes: {
    request_id: 'turn-7-call-1',
    name: 'payment_api',
    args: { amount: 12, currency: 'EUR' },
    conversation_id: 'order-1831',
  },
  gives: { continue_processing: true, metadata: {} },
};
