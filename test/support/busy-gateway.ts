import { join } from 'node:path';
import { chatBodyOf, chatStreamOf } from './chat-stream-of.ts';
import { startGatewayHere } from './gateway-here.ts';
import type { GatewayHere } from './gateway-here.ts';
import { root } from './repository.ts';
import { errorAnswer } from './scripted-answer.ts';
import { startScriptedUpstream } from './scripted-upstream.ts';

/** What the configuration and the requests hold that nobody may see. */
export const SECRETS = {
  token: 'CANARY-gateway-token',
  upstreamKey: 'CANARY-upstream-key',
  clientKey: 'CANARY-client-key',
  argument: 'CANARY-argument',
} as const;

const WEATHER = {
  type: 'function',
  function: {
    name: 'get_weather',
    parameters: { type: 'object', properties: { city: { type: 'string' } } },
  },
};

const headers = {
  'content-type': 'application/json',
  authorization: `Bearer ${SECRETS.clientKey}`,
  'x-holdfast-token': SECRETS.token,
};

/** A gateway in this process that has done a bit of everything: good turns and bad ones, tools that work and fail. */
export async function startBusyGateway(): Promise<GatewayHere> {
  const upstream = await startScriptedUpstream(({ json, headers: { authorization } }) => {
    const { model, stream } = json as { readonly model: string; readonly stream?: boolean };
    if (model.startsWith('unknown')) return errorAnswer(404, {}, 'there is no such model');
    if (model === 'broken') return errorAnswer(500, {}, `it broke for ${String(authorization)}`);
    const said = `<tool_call>{"name":"get_weather","arguments":{"city":"${SECRETS.argument}"}}`;
    return { body: stream === true ? chatStreamOf(said) : chatBodyOf(`${said}</tool_call>`) };
  });
  const gateway = await startGatewayHere({
    token: SECRETS.token,
    proxy: { retry: { baseDelayMs: 1, maxDelayMs: 1 } },
    upstreams: [
      { name: 'first', url: upstream.url, apiKey: SECRETS.upstreamKey },
      { name: 'second', url: upstream.url, models: ['broken'] },
    ],
    mcp: {
      timeoutMs: 200,
      servers: {
        weather: {
          command: process.execPath,
          args: [join(root, 'test/support/weather-server.mjs')],
          env: { WEATHER_KEY: SECRETS.upstreamKey },
        },
      },
    },
  });
  for (const model of ['tiny', 'broken']) {
    for (const stream of [false, true]) await askTurn(gateway.url, model, stream);
  }
  await callTools(gateway.url, ['get_weather', ...Array<string>(8).fill('storm'), 'drought']);
  return {
    ...gateway,
    close: async () => {
      await gateway.close();
      await upstream.close();
    },
  };
}

export async function askTurn(url: string, model: string, stream: boolean): Promise<void> {
  const answer = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers,
    body: JSON.stringify({
      model,
      stream,
      messages: [{ role: 'user', content: SECRETS.argument }],
      tools: [WEATHER],
    }),
  });
  await answer.text();
}

/** Calls tools one after the other, as a client of 2026 does, which needs no handshake. */
export async function callTools(url: string, names: readonly string[]): Promise<void> {
  const revision = '2026-07-28';
  for (const [id, name] of names.entries()) {
    const answer = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: {
        ...headers,
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': revision,
        'mcp-method': 'tools/call',
        'mcp-name': name,
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id,
        method: 'tools/call',
        params: {
          name,
          arguments: { secret: SECRETS.argument },
          _meta: {
            'io.modelcontextprotocol/protocolVersion': revision,
            'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        },
      }),
    });
    await answer.text();
  }
}

/** What is scraped. */
export async function scrape(url: string, accept = 'text/plain'): Promise<Response> {
  return fetch(`${url}/metrics`, {
    headers: { accept, authorization: `Bearer ${SECRETS.token}` },
  });
}
