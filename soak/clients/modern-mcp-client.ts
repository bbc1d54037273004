import type { JsonObject } from '@holdfast/core';
import type { Answer, Door } from './door.ts';
import { readMessage, readToldCall } from './mcp-message.ts';
import type { ToldCall } from './mcp-message.ts';

export interface CallOptions {
  readonly withinMs: number;
  readonly goesAfter?: number;
  /** Whether progress is asked for, which makes a stream of the answer. */
  readonly hasProgress?: boolean;
}

const REVISION = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientInfo': { name: 'soak', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** A client of 2026, whose requests stand alone. */
export class ModernMcpClient {
  readonly #door: Door;
  #requests = 0;

  constructor(door: Door) {
    this.#door = door;
  }

  /** Undefined where there was no answer; throws where it is none of the protocol. */
  async callTool(
    name: string,
    args: JsonObject,
    options: CallOptions,
  ): Promise<ToldCall | undefined> {
    const id = ++this.#requests;
    const progress = options.hasProgress === true ? { progressToken: id } : {};
    const params = { name, arguments: args, _meta: { ...META, ...progress } };
    const answer = await this.#post(`${name} ${JSON.stringify(args['id'])}`, options, {
      id,
      method: 'tools/call',
      params,
    });
    return answer && readToldCall(readMessage(answer, id));
  }

  /** The names of all tools; undefined where there was no answer. */
  async listTools(withinMs: number): Promise<readonly string[] | undefined> {
    const id = ++this.#requests;
    const asked = { id, method: 'tools/list', params: { _meta: META } };
    const answer = await this.#post('tools/list', { withinMs }, asked);
    if (answer === undefined) return undefined;
    const { result, error } = readMessage(answer, id);
    if (error !== undefined) throw new Error(`tools/list: ${error.message}`);
    const { tools } = result as unknown as { readonly tools: readonly { readonly name: string }[] };
    return tools.map(({ name }) => name);
  }

  #post(
    what: string,
    { withinMs, goesAfter }: CallOptions,
    message: { readonly id: number; readonly method: string; readonly params: object },
  ): Promise<Answer | undefined> {
    const { method, params } = message;
    const named = 'name' in params && typeof params.name === 'string' ? params.name : undefined;
    return this.#door.ask({
      what: `MCP ${what}`,
      method: 'POST',
      path: '/mcp',
      headers: {
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': REVISION,
        'mcp-method': method,
        ...(named !== undefined && { 'mcp-name': named }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
      withinMs,
      ...(goesAfter !== undefined && { goesAfter }),
    });
  }
}
