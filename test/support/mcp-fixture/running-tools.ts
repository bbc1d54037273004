import { setTimeout as pause } from 'node:timers/promises';
import { textResult } from './fixture-tool.ts';
import type { FixtureCall, FixtureTool } from './fixture-tool.ts';

/** Long enough that messages arrive one by one. */
const STEP_MS = 50;

/** Tools that say something while they run, or change what the server has. */
export const runningTools: readonly FixtureTool[] = [
  {
    name: 'test_tool_with_logging',
    description: 'Logs three messages while it runs',
    run: async (call) => {
      await log(call, 'Tool execution started');
      await pause(STEP_MS);
      await log(call, 'Tool processing data');
      await pause(STEP_MS);
      await log(call, 'Tool execution completed');
      return textResult('Logged three messages');
    },
  },
  {
    name: 'test_logging_tool',
    description: 'Logs one message, where the client asked for messages',
    run: async (call) => {
      await log(call, 'The tool runs');
      return textResult('Logged one message');
    },
  },
  {
    name: 'test_tool_with_progress',
    description: 'Reports progress three times while it runs',
    run: async ({ context: { mcpReq } }) => {
      const progressToken = mcpReq._meta?.progressToken;
      for (const progress of [0, 50, 100]) {
        if (progressToken !== undefined) {
          const params = { progressToken, progress, total: 100 };
          await mcpReq.notify({ method: 'notifications/progress', params });
        }
        if (progress < 100) await pause(STEP_MS);
      }
      return textResult('Done');
    },
  },
  {
    name: 'test_reconnection',
    description: 'Closes the stream of its call before it answers on the next one',
    run: async ({ context }) => {
      await pause(STEP_MS);
      context.http?.closeSSE?.();
      await pause(2 * STEP_MS);
      return textResult('Answered after the stream was closed');
    },
  },
  {
    name: 'test_trigger_tool_change',
    description: 'Adds a tool, or takes it away',
    run: ({ changes }) => {
      changes.shown.tool = !changes.shown.tool;
      changes.notify.toolsChanged();
      return textResult('The list of tools changed');
    },
  },
  {
    name: 'test_trigger_prompt_change',
    description: 'Adds a prompt, or takes it away',
    run: ({ changes }) => {
      changes.shown.prompt = !changes.shown.prompt;
      changes.notify.promptsChanged();
      return textResult('The list of prompts changed');
    },
  },
  {
    name: 'test_trigger_resource_change',
    description: 'Changes the resource that can be watched',
    run: ({ changes }) => {
      changes.notify.resourceUpdated('test://watched-resource');
      return textResult('The resource changed');
    },
  },
];

/** The tool that comes and goes. */
export const changingTool: FixtureTool = {
  name: 'test_changing_tool',
  description: 'Is not always there',
  run: () => textResult('Here I am'),
};

/** Sends a message of the server's log to the client, unless it wants none. */
function log({ context }: FixtureCall, message: string): Promise<void> {
  return context.mcpReq.log('info', message);
}
