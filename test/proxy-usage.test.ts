import type { JsonObject } from '@holdfast/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendTo } from './support/ask-gateway.ts';
import { startGatewayHere } from './support/gateway-here.ts';
import type { GatewayHere } from './support/gateway-here.ts';
import { protocolOf, textAnswer } from './support/scripted-model.ts';
import type { Protocol } from './support/scripted-model.ts';
import { startScriptedUpstream } from './support/scripted-upstream.ts';
import type { ScriptedUpstream } from './support/scripted-upstream.ts';

/** 40 bytes, which are ten tokens. */
const SAID = 'The sea is calm today, and it will rain.';
const PROTOCOLS: readonly Protocol[] = ['chat', 'messages', 'responses'];
const CASES = PROTOCOLS.flatMap((protocol) =>
  (['own', 'chat'] as const).flatMap((target) =>
    [true, false].map((stream) => ({ protocol, target, stream })),
  ),
);
const tools = [{ name: 'read_file', parameters: { type: 'object', properties: {} } }];

describe.each(CASES)('usage told to $protocol from $target (stream $stream)', (one) => {
  let upstream: ScriptedUpstream;
  let gateway: GatewayHere;
  let hasUsage: boolean;
  let mark: string | null = null;

  beforeAll(async () => {
    upstream = await startScriptedUpstream(({ path, json }) => {
      const { stream } = json as { readonly stream?: boolean };
      const answer = textAnswer(protocolOf(path), SAID);
      const body = stream === true ? answer.stream : answer.body;
      return { body: hasUsage ? body : withoutUsage(body) };
    });
    gateway = await startGatewayHere({
      upstreams: [
        { name: 'own', url: upstream.url, models: ['own'], protocols: PROTOCOLS },
        { name: 'chat', url: upstream.url },
      ],
    });
  });

  afterAll(() => Promise.all([upstream.close(), gateway.close()]));

  async function usageOf(fields: JsonObject = {}): Promise<JsonObject | undefined> {
    const { protocol, target: model, stream } = one;
    const response = await sendTo(gateway.url, { protocol, model, tools, stream, fields });
    const body = await response.text();
    if (!stream) mark = response.headers.get('x-holdfast-usage');
    const objects = stream
      ? body.split('\n').flatMap((line) => (line.startsWith('data: {') ? [line.slice(6)] : []))
      : [body];
    const usages = objects.map((json) => {
      const { usage, response: inner } = JSON.parse(json) as {
        readonly usage?: JsonObject | null;
        readonly response?: { readonly usage?: JsonObject | null };
      };
      return usage ?? inner?.usage;
    });
    return usages.findLast((usage) => usage !== undefined && usage !== null) ?? undefined;
  }

  const wanted = one.protocol === 'chat' ? { stream_options: { include_usage: true } } : {};
  const [inputField, outputField] =
    one.protocol === 'chat'
      ? ['prompt_tokens', 'completion_tokens']
      : ['input_tokens', 'output_tokens'];

  test('is estimated and marked when the upstream reports none', async () => {
    hasUsage = false;
    const usage = await usageOf(wanted);
    expect(usage).toMatchObject({ [outputField]: 10, estimated: true });
    if (!one.stream) expect(mark).toBe('estimated');
    const input = usage![inputField] as number;
    expect(input).toBeGreaterThan(15);
    expect(input).toBeLessThan(60);
    if (one.protocol !== 'messages') expect(usage!['total_tokens']).toBe(input + 10);
  });

  test('is that of the upstream when it reports one', async () => {
    hasUsage = true;
    const usage = await usageOf(wanted);
    expect(usage).toMatchObject({ [inputField]: 11, [outputField]: 7 });
    expect(usage).not.toHaveProperty('estimated');
  });

  if (one.protocol === 'chat' && one.stream)
    test('is not added to a stream that was not asked for it', async () => {
      hasUsage = false;
      expect(await usageOf()).toBeUndefined();
    });
});

/** The same response as a server sends it that does not count. */
function withoutUsage(body: string): string {
  const strip = (json: string): string =>
    JSON.stringify(
      JSON.parse(json, (key, value: unknown) => (key === 'usage' ? undefined : value)),
    );
  if (!body.includes('data: ')) return strip(body);
  const lines = body
    .split('\n')
    .map((line) => (line.startsWith('data: {') ? `data: ${strip(line.slice(6))}` : line));
  return lines.join('\n');
}
