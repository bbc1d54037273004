import type { ScriptedAnswer } from './scripted-answer.ts';

/** A request of MCP as it comes over HTTP. */
export interface RemoteRequest {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly protocolVersion?: string; readonly _meta?: object };
}

/** Answers as a server of 2025 does that has one tool, which gives back the `_meta` of the request. */
export function answerRemote({ json }: { readonly json: unknown }): ScriptedAnswer {
  // It has no stream of news.
  if (json === undefined) return { status: 405, body: '' };
  const { id, method, params } = json as RemoteRequest;
  const serverInfo = { name: 'far', version: '1' };
  const { protocolVersion } = params ?? {};
  const results: Readonly<Record<string, object>> = {
    initialize: { protocolVersion, capabilities: { tools: {} }, serverInfo },
    'tools/list': { tools: [{ name: 'look_far', inputSchema: { type: 'object' } }] },
    'tools/call': { content: [{ type: 'text', text: JSON.stringify(params?._meta) }] },
  };
  const result = results[method];
  if (id === undefined) return { status: 202, body: '' };
  const answer = result === undefined ? { error: { code: -32601, message: 'no' } } : { result };
  const headers = { 'content-type': 'application/json' };
  return { headers, body: JSON.stringify({ jsonrpc: '2.0', id, ...answer }) };
}
