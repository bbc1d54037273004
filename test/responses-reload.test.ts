import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../packages/gateway/src/config/load-config.ts';
import { chatBodyOf } from './support/chat-stream-of.ts';
import { startGatewayHere } from './support/gateway-here.ts';
import type { GatewayHere } from './support/gateway-here.ts';
import { startScriptedUpstream } from './support/scripted-upstream.ts';
import type { ScriptedUpstream } from './support/scripted-upstream.ts';

let upstream: ScriptedUpstream;
let gateway: GatewayHere;

const fileWith = (name: string): object => ({ upstreams: [{ name, url: upstream.url }] });

beforeAll(async () => {
  upstream = await startScriptedUpstream({ body: chatBodyOf('The sea is calm.') });
  gateway = await startGatewayHere(fileWith('one'));
});

afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

async function ask(input: readonly object[]): Promise<{ readonly id: string }> {
  const answer = await fetch(`${gateway.url}/v1/responses`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', input }),
  });
  const body = await answer.text();
  expect(answer.status, body).toBe(200);
  const { output } = JSON.parse(body) as { readonly output: readonly { readonly id: string }[] };
  return output[0]!;
}

test('a conversation goes on by the ids of its items after the configuration was loaded anew', async () => {
  const hi = { role: 'user', content: 'How is the sea?' };
  const { id } = await ask([hi]);
  const loaded = loadConfig(JSON.stringify(fileWith('two')), { file: 'holdfast.yaml', env: {} });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  gateway.replaceConfig(loaded.config);

  await ask([hi, { type: 'item_reference', id }, { role: 'user', content: 'And now?' }]);
  expect(JSON.stringify(upstream.requests.at(-1)?.json)).toContain('The sea is calm.');
});
