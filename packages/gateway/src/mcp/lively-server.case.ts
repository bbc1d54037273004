import {
  inputRequired,
  acceptedContent,
  McpServer,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { ServerEras } from './memory-gateway.case.ts';

const ASK_NAME = {
  message: 'Your name?',
  requestedSchema: {
    type: 'object' as const,
    properties: { name: { type: 'string' as const } },
    required: ['name'],
  },
};

/** A server that uses everything in the protocol, as servers of its eras do. */
export class LivelyServer {
  readonly server: McpServer;
  /** The resources that a legacy client subscribed to, as often as it did. */
  readonly subscribed: string[] = [];
  /** How many calls of `wait` there were. */
  waits = 0;
  /** Why calls of `wait` ended. */
  readonly ends: string[] = [];

  constructor(eras: ServerEras) {
    const server = new McpServer(
      { name: 'lively', version: '1' },
      { capabilities: { logging: {}, resources: { subscribe: true } } },
    );
    this.server = server;
    server.server.setRequestHandler('resources/subscribe', ({ params }) => {
      this.subscribed.push(params.uri);
      return {};
    });
    server.server.setRequestHandler('resources/unsubscribe', ({ params }) => {
      this.subscribed.splice(this.subscribed.indexOf(params.uri), 1);
      return {};
    });
    server.registerTool('ask', { inputSchema: z.object({}) }, async (_args, { mcpReq }) => {
      if (eras === 'legacy') {
        const { action, content } = await mcpReq.elicitInput({ mode: 'form', ...ASK_NAME });
        return { content: [{ type: 'text', text: `${action} ${String(content?.['name'])}` }] };
      }
      const content = acceptedContent<{ name: string }>(mcpReq.inputResponses, 'who');
      if (content === undefined) {
        return inputRequired({
          inputRequests: { who: inputRequired.elicit(ASK_NAME) },
          requestState: 'state of the server',
        });
      }
      const state = mcpReq.requestState<string>();
      return { content: [{ type: 'text', text: `accept ${content.name} ${String(state)}` }] };
    });
    server.registerTool('progress', { inputSchema: z.object({}) }, async (_args, { mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken;
      for (const progress of [1, 2, 3]) {
        if (progressToken === undefined) break;
        await mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress, total: 3, message: `step ${progress}` },
        });
      }
      return { content: [] };
    });
    server.registerTool('log', { inputSchema: z.object({}) }, async (_args, { mcpReq }) => {
      await mcpReq.log('debug', 'quiet');
      await mcpReq.log('warning', 'loud');
      return { content: [] };
    });
    server.registerTool('wait', { inputSchema: z.object({}) }, async (_args, { mcpReq }) => {
      this.waits += 1;
      await new Promise<void>((resolve) => {
        mcpReq.signal.addEventListener('abort', () => {
          this.ends.push('cancelled');
          resolve();
        });
      });
      return { content: [] };
    });
    server.registerResource('note', 'note://one', { mimeType: 'text/plain' }, (uri) => ({
      contents: [{ uri: uri.href, text: 'first' }],
    }));
    server.registerResource(
      'page',
      new ResourceTemplate('page://{number}', {
        list: undefined,
        complete: { number: (value) => ['1', '10', '2'].filter((each) => each.startsWith(value)) },
      }),
      {},
      (uri, { number }) => ({ contents: [{ uri: uri.href, text: `page ${String(number)}` }] }),
    );
    server.registerPrompt('greet', { argsSchema: z.object({ name: z.string() }) }, ({ name }) => ({
      messages: [{ role: 'user', content: { type: 'text', text: `Greet ${name}` } }],
    }));
  }

  addTool(name: string): void {
    this.server.registerTool(name, { inputSchema: z.object({}) }, () => ({ content: [] }));
  }
}
