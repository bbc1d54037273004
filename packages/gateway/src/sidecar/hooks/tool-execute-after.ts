import type { JsonObject } from '@holdfast/core';
import { maskSecrets } from '@holdfast/core/advise';
import type { HookRegistry, ToolResponse } from '@holdfast/core/hooks';
import { RequestError } from '../../http/request-error.ts';
import { isObject, objectOf, textOf } from '../../proxy/json/json-fields.ts';
import type { Reporter } from '../../observe/reporter.ts';
import type { Operation, OperationExample } from '../operation.ts';
import { EXECUTE_CALL, TOLD_DATA } from './execute-schemas.ts';
import type { ConversationData, HookStore } from './hook-store.ts';
import { tellResponse } from './tell-call.ts';

/** Runs the extensions after a tool. */
export function createToolExecuteAfter(
  hooks: HookRegistry,
  store: HookStore,
  report?: Reporter,
): Operation {
  return {
    name: 'hooks/tool_execute_after',
    summary:
      'Tells what a tool answered, and gives back what the model should see: with advice where it fails.',
    takes: TAKES,
    gives: GIVES,
    example: EXAMPLE,
    async run(body, { id }) {
      const conversation = store.of(body);
      const given = responseIn(body);
      const toolArgs = argumentsIn(body, conversation);
      const { call_id: callId } = body;
      const { response = given, added } = await hooks.runAfter({
        toolName: textOf(body['tool_name']),
        response: given,
        data: conversation.data,
        ...(toolArgs !== undefined && { toolArgs }),
        ...(typeof callId === 'string' && { callId }),
      });
      const advice = added.map(({ text }) => text).join('\n\n');
      if (report !== undefined) {
        const call = {
          id: typeof callId === 'string' ? callId : id,
          tool: maskSecrets(textOf(body['tool_name'])),
        };
        tellResponse(report, { ...call, response: given, advice });
      }
      return {
        body: {
          message: response.message,
          ...(advice !== '' && { advice }),
          ...conversation.told(),
        },
      };
    },
  };
}

/** Without them all calls of a tool would look the same, and the second failure like a loop. */
function argumentsIn(body: JsonObject, { isCarried }: ConversationData): JsonObject | undefined {
  const { tool_args: args } = body;
  if (isObject(args)) return args;
  if (!isCarried) return undefined;
  throw new RequestError(
    400,
    'invalid-request',
    'tool_args is missing: expected an object, as nothing is remembered here where data is sent',
  );
}

/** Of a body that fits its schema. */
function responseIn(body: JsonObject): ToolResponse {
  const { message, break_loop: breakLoop, additional } = objectOf(body['response']);
  return {
    message: textOf(message),
    ...(typeof breakLoop === 'boolean' && { breakLoop }),
    ...(isObject(additional) && { additional: signalsIn(additional) }),
  };
}

/** How the call went, by the names the library has for it. */
function signalsIn(additional: JsonObject): JsonObject {
  const { is_error: isError, exit_code: exitCode, duration_ms: durationMs } = additional;
  return {
    ...additional,
    ...(isError !== undefined && { isError }),
    ...(exitCode !== undefined && { exitCode }),
    ...(durationMs !== undefined && { durationMs }),
  };
}

const TAKES: JsonObject = {
  type: 'object',
  properties: {
    ...EXECUTE_CALL,
    tool_args: {
      type: 'object',
      description: 'What it was called with. Those of tool_execute_before without them.',
    },
    response: {
      type: 'object',
      properties: {
        message: { type: 'string', description: 'What the model would see.' },
        break_loop: { type: 'boolean', description: "Whether the agent's loop ends with it." },
        additional: {
          type: ['object', 'null'],
          description: 'What else is known. These say how the call went:',
          properties: {
            is_error: { type: 'boolean' },
            exit_code: { type: 'integer' },
            signal: { type: 'string', description: 'That ended the process.' },
            status: { type: 'integer', description: 'Of HTTP.' },
            duration_ms: { type: 'number', minimum: 0 },
          },
        },
      },
      required: ['message'],
      additionalProperties: false,
    },
  },
  required: ['tool_name', 'response'],
  additionalProperties: false,
};

const GIVES: JsonObject = {
  type: 'object',
  properties: {
    message: { type: 'string', description: 'What the model should see: the message, and advice.' },
    advice: { type: 'string', description: 'The advice alone, where there is some.' },
    ...TOLD_DATA,
  },
  required: ['message'],
};

const EXAMPLE: OperationExample = {
  takes: {
    conversation_id: 'order-1831',
    tool_name: 'bash',
    response: {
      message: 'cat: notes.md: No such file or directory',
      additional: { exit_code: 1 },
    },
  },
  gives: { message: 'cat: notes.md: No such file or directory' },
};
