import type { JsonObject } from '@holdfast/core';
import type { HookRegistry } from '@holdfast/core/hooks';
import { objectOf, textOf } from '../../proxy/json/json-fields.ts';
import type { Operation, OperationExample } from '../operation.ts';
import { EXECUTE_CALL, TOLD_DATA } from './execute-schemas.ts';
import type { HookStore } from './hook-store.ts';

/** Runs the extensions before a tool. */
export function createToolExecuteBefore(hooks: HookRegistry, store: HookStore): Operation {
  return {
    name: 'hooks/tool_execute_before',
    summary:
      'Asks before a tool runs: does the call only repeat what failed, and what should the model hear?',
    takes: TAKES,
    gives: GIVES,
    example: EXAMPLE,
    async run(body) {
      const { data, told } = store.of(body);
      const { call_id: callId } = body;
      const { toolArgs, notices, veto } = await hooks.runBefore({
        toolName: textOf(body['tool_name']),
        toolArgs: objectOf(body['tool_args']),
        data,
        ...(typeof callId === 'string' && { callId }),
      });
      return {
        body: {
          tool_args: toolArgs,
          notices: notices.map(({ text }) => text),
          ...(veto !== undefined && { veto: veto.text }),
          ...told(),
        },
      };
    },
  };
}

const TAKES: JsonObject = {
  type: 'object',
  properties: {
    ...EXECUTE_CALL,
    tool_args: { type: 'object', description: 'What it is about to be called with.' },
  },
  required: ['tool_name', 'tool_args'],
  additionalProperties: false,
};

const GIVES: JsonObject = {
  type: 'object',
  properties: {
    tool_args: { type: 'object', description: 'What to call it with.' },
    notices: {
      type: 'array',
      items: { type: 'string' },
      description: 'What the model should hear.',
    },
    veto: {
      type: 'string',
      description:
        'Why the tool should not run: answer the model with this instead. Heeding it is your choice.',
    },
    ...TOLD_DATA,
  },
  required: ['tool_args', 'notices'],
};

const EXAMPLE: OperationExample = {
  takes: {
    conversation_id: 'order-1831',
    tool_name: 'bash',
    tool_args: { command: 'cat notes.md' },
  },
  gives: { tool_args: { command: 'cat notes.md' }, notices: [] },
};
