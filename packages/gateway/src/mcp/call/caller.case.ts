import { ManualClock } from '@holdfast/core/testing';
import type { JsonObject } from '@holdfast/core';
import type { WatchedAttempt } from '@holdfast/core/guard';
import { memoryLogger } from '../../log/memory-logger.case.ts';
import type { MemoryLogger } from '../../log/memory-logger.case.ts';
import { NO_PLUGINS } from '../../plugins/no-plugins.ts';
import { textOf } from '../../proxy/json/json-fields.ts';
import type { McpConfig, McpServerConfig } from '../mcp-config.ts';
import type { CallReply, CallResult, ListedTool } from '../messages.ts';
import { serverConfig } from '../server-config.case.ts';
import type { CallEvent } from './call-event.ts';
import { ToolCaller } from './tool-caller.ts';
import type { ToolCallerOptions } from './tool-caller.ts';
import type { SendCall, ToolRequest } from './tool-request.ts';

/** A server of these tests. */
export function shopConfig(changed: Partial<McpServerConfig> = {}): McpServerConfig {
  return serverConfig('shop', { timeoutMs: 30_000, maxDurationMs: 300_000, ...changed });
}

export const payTool: ListedTool = {
  name: 'payment_api',
  inputSchema: {
    type: 'object',
    properties: { amount: { type: 'integer' }, note: { type: 'string' } },
    required: ['amount'],
  },
};

export const readTool: ListedTool = {
  name: 'read_order',
  inputSchema: { type: 'object' },
  annotations: { readOnlyHint: true },
};

export const DONE: CallResult = { content: [{ type: 'text', text: 'done' }] };

/** One step of a server: what it answers, throws, or does. */
export type Step = CallReply | Error | StepWork;

export type StepWork = (context: WatchedAttempt, args: JsonObject) => Promise<CallReply>;

export interface CallerUnderTest {
  readonly caller: ToolCaller;
  readonly clock: ManualClock;
  readonly log: MemoryLogger;
  readonly events: CallEvent[];
  /** The arguments of everything that was sent. */
  readonly sent: JsonObject[];
  /** Makes a call to a server that goes through these steps, the last one again and again. */
  readonly call: (request?: Partial<ToolRequest>, ...steps: readonly Step[]) => Promise<CallReply>;
}

/** A caller whose servers do what the test says. */
export function callerUnderTest(
  config: Partial<McpConfig> = {},
  options: Partial<ToolCallerOptions> = {},
): CallerUnderTest {
  const clock = new ManualClock();
  const log = memoryLogger();
  const events: CallEvent[] = [];
  const sent: JsonObject[] = [];
  const server = config.servers?.[0] ?? shopConfig();
  const caller = new ToolCaller({
    config: {
      servers: [server],
      prefix: 'auto',
      separator: '__',
      listTimeoutMs: 5000,
      connectTimeoutMs: 5000,
      maxMessageBytes: 1_000_000,
      maxResultBytes: 100_000,
      check: true,
      advice: false,
      redefinedTools: 'quarantine',
      ...config,
    },
    plugins: NO_PLUGINS,
    clock,
    random: () => 0.5,
    log,
    onEvent: (event) => void events.push(event),
    ...options,
  });
  let calls = 0;
  const call = (
    request: Partial<ToolRequest> = {},
    ...steps: readonly Step[]
  ): Promise<CallReply> => {
    const left = [...steps];
    const send: SendCall = async (args, context) => {
      sent.push(args);
      const step = (left.length > 1 ? left.shift() : left[0]) ?? DONE;
      if (step instanceof Error) throw step;
      return typeof step === 'function' ? step(context, args) : step;
    };
    return caller.call(
      {
        id: `call-${++calls}`,
        server,
        tool: payTool,
        shownName: request.tool?.name ?? payTool.name,
        arguments: { amount: 1 },
        serverTools: [],
        conversation: 'one',
        signal: new AbortController().signal,
        ...request,
      },
      send,
    );
  };
  return { caller, clock, log, events, sent, call };
}

/** The texts of a result, one after the other. */
export function textsOf(reply: CallReply): readonly string[] {
  const { content = [] } = reply as Partial<CallResult>;
  return content.map(({ text }) => textOf(text));
}

/** An error that a server answered with. */
export function protocolError(code: number, message: string, data?: JsonObject): Error {
  return Object.assign(new Error(message), { code, ...(data === undefined ? {} : { data }) });
}

/** A step that takes so long, or until it is told to stop. */
export function slow(clock: ManualClock, ms: number, reply: CallReply = DONE): StepWork {
  return ({ signal }) =>
    new Promise((resolve, reject) => {
      const cancel = clock.setTimer(() => {
        resolve(reply);
      }, ms);
      signal.addEventListener('abort', () => {
        cancel();
        reject(signal.reason as Error);
      });
    });
}
