import type { JsonObject } from '@holdfast/core';
import type { Answer, Door } from './door.ts';
import { readMessage, readToldCall } from './mcp-message.ts';
import type { ToldCall } from './mcp-message.ts';
import type { CallOptions } from './modern-mcp-client.ts';

const REVISION = '2025-11-25';

/** A client of 2025, which has a session; it begins another one where the gateway has forgotten it. */
export class LegacyMcpClient {
  readonly #door: Door;
  #session: string | undefined;
  #requests = 0;

  constructor(door: Door) {
    this.#door = door;
  }

  /** Undefined where there was no answer, nor a session; throws where an answer is none of the protocol. */
  async callTool(
    name: string,
    args: JsonObject,
    options: CallOptions,
  ): Promise<ToldCall | undefined> {
    if (this.#session === undefined && !(await this.#begin(options.withinMs))) return undefined;
    const id = ++this.#requests;
    const progress = options.hasProgress === true ? { _meta: { progressToken: id } } : {};
    const params = { name, arguments: args, ...progress };
    const message = { id, method: 'tools/call', params };
    const answer = await this.#post(`${name} ${JSON.stringify(args['id'])}`, options, message);
    if (answer === undefined) return undefined;
    if (answer.status === 404) {
      this.#session = undefined;
      // It was not heard: as good as refused.
      return { how: 'refused', text: 'the session is gone' };
    }
    return readToldCall(readMessage(answer, id));
  }

  /** Says goodbye. */
  async end(withinMs: number): Promise<void> {
    const session = this.#session;
    this.#session = undefined;
    if (session === undefined) return;
    await this.#door.ask({
      what: 'the end of an MCP session',
      method: 'DELETE',
      path: '/mcp',
      headers: { 'mcp-session-id': session },
      withinMs,
    });
  }

  async #begin(withinMs: number): Promise<boolean> {
    const id = ++this.#requests;
    const params = {
      protocolVersion: REVISION,
      capabilities: {},
      clientInfo: { name: 'soak', version: '1' },
    };
    const answer = await this.#post(
      'initialize',
      { withinMs },
      { id, method: 'initialize', params },
    );
    if (answer === undefined) return false;
    const { error } = readMessage(answer, id);
    if (error !== undefined) throw new Error(`initialize: ${error.message}`);
    this.#session = String(answer.headers['mcp-session-id']);
    const told = { method: 'notifications/initialized' };
    return (await this.#post('initialized', { withinMs }, told)) !== undefined;
  }

  #post(
    what: string,
    { withinMs, goesAfter }: CallOptions,
    message: object,
  ): Promise<Answer | undefined> {
    return this.#door.ask({
      what: `MCP session, ${what}`,
      method: 'POST',
      path: '/mcp',
      headers: {
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': REVISION,
        ...(this.#session !== undefined && { 'mcp-session-id': this.#session }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
      withinMs,
      ...(goesAfter !== undefined && { goesAfter }),
    });
  }
}
