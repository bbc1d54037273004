import { ManualClock } from '@holdfast/core/testing';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { startScriptedUpstream } from '../../../../test/support/scripted-upstream.ts';
import type { Script, ScriptedUpstream } from '../../../../test/support/scripted-upstream.ts';
import { CONFIG_DEFAULTS } from '../config/config-defaults.ts';
import type { UpstreamConfig } from '../config/gateway-config.ts';
import { runningServer } from '../http/running-server.case.ts';
import type { RunningServer } from '../http/running-server.case.ts';
import { answerModels } from './answer-models.ts';
import { Upstreams } from './upstream/upstreams.ts';

async function server(script: Script): Promise<ScriptedUpstream> {
  const started = await startScriptedUpstream(script);
  onTestFinished(() => started.close());
  return started;
}

const lists = (...ids: string[]): Script => ({
  body: JSON.stringify({ object: 'list', data: ids.map((id) => ({ id, owned_by: 'vllm' })) }),
});

const NOBODY = 'http://127.0.0.1:1/v1';

/** A gateway that has no more than the list of models of these upstreams. */
async function gateway(
  upstreams: readonly (Partial<UpstreamConfig> & { readonly url: string })[],
  clock = new ManualClock(),
): Promise<RunningServer> {
  const configs = upstreams.map((given, index) => ({
    ...CONFIG_DEFAULTS.upstream,
    name: `up-${index + 1}`,
    ...given,
  }));
  const all = new Upstreams(configs);
  onTestFinished(() => all.close());
  const handle = answerModels(all, clock);
  return runningServer(undefined, {
    routes: [
      { method: 'GET', path: '/v1/models', handle },
      { method: 'GET', path: '/v1/models/*', handle },
    ],
  });
}

interface Answer {
  readonly status: number;
  readonly missing: string | null;
  readonly ids: readonly string[];
  readonly message: string | undefined;
}

async function ask(url: string): Promise<Answer> {
  const answer = await fetch(url);
  const body = (await answer.json()) as {
    readonly data?: readonly { readonly id: string }[];
    readonly error?: { readonly message: string };
  };
  return {
    status: answer.status,
    missing: answer.headers.get('x-holdfast-upstreams-missing'),
    ids: body.data?.map(({ id }) => id) ?? [],
    message: body.error?.message,
  };
}

describe('the list of models', () => {
  test('has those of all upstreams, in the order of the file, each name once', async () => {
    const first = await server(lists('b', 'both'));
    const second = await server(lists('a', 'both', 'c'));
    const { url } = await gateway([{ url: first.url }, { url: second.url }]);

    expect(await ask(`${url}/v1/models`)).toMatchObject({
      status: 200,
      missing: null,
      ids: ['b', 'both', 'a', 'c'],
    });
  });

  test('has only what an upstream may be asked for, and exact names that stand for a model', async () => {
    const { url: asked } = await server(lists('qwen3', 'llama', 'embed'));
    const modelMap = { sonnet: 'qwen3', 'claude-*': 'qwen3', 'gpt-5': 'llama', other: 'else' };
    const { url } = await gateway([{ url: asked, models: ['qwen*', 'sonnet', 'else'], modelMap }]);

    // `gpt-5` would be asked of nobody, as no pattern lets `gpt-5` or `llama` through.
    expect((await ask(`${url}/v1/models`)).ids).toEqual(['qwen3', 'sonnet', 'other']);
    const one = await fetch(`${url}/v1/models/sonnet`);
    expect(await one.json()).toMatchObject({ id: 'sonnet', owned_by: 'vllm' });
  });

  test('goes without an upstream that is dead, refuses or makes no sense, and says so', async () => {
    const good = await server(lists('a'));
    const refusing = await server({ status: 401, body: '{"error":"no key"}' });
    const page = await server({ body: '<html>' });
    const { url, log } = await gateway([
      { url: NOBODY, name: 'dead' },
      { url: refusing.url, name: 'refusing' },
      { url: good.url },
      { url: page.url, name: 'page' },
    ]);

    expect(await ask(`${url}/v1/models`)).toMatchObject({
      status: 200,
      missing: 'dead, refusing, page',
      ids: ['a'],
    });
    const warnings = log.entries.filter(({ level }) => level === 'warn');
    expect(warnings.map(({ message }) => message)).toEqual([
      `its models are left out: upstream "dead" at ${NOBODY} refused the connection: is it running?`,
      'its models are left out: upstream "refusing" answered 401: no key',
      `its models are left out: upstream "page" answered ${page.url}/models with no JSON`,
    ]);
  });

  test.each([
    ['says nothing', { body: '', silentMs: 60_000 }],
    ['stops in the middle', { body: '{"data": [', then: 'stall' }],
  ] as const)('waits five seconds for an upstream that %s', async (_, script) => {
    const clock = new ManualClock();
    const good = await server(lists('a'));
    const slow = await server(script);
    const { url } = await gateway([{ url: slow.url, name: 'slow' }, { url: good.url }], clock);

    let isThere = false;
    const answer = ask(`${url}/v1/models`).finally(() => (isThere = true));
    await vi.waitFor(() => {
      expect(slow.requests).toHaveLength(1);
      expect(good.requests).toHaveLength(1);
      // The timer of the one that has answered is gone.
      expect(clock.pendingTimers).toBe(1);
    });
    await clock.advance(4_999);
    expect(isThere).toBe(false);
    await clock.advance(1);
    expect(await answer).toMatchObject({ status: 200, missing: 'slow', ids: ['a'] });
  });

  test('is an error that names every upstream where none answers', async () => {
    const refusing = await server({ status: 500, body: '{"error":"on fire"}' });
    const { url } = await gateway([{ url: NOBODY, name: 'dead' }, { url: refusing.url }]);

    const { status, message } = await ask(`${url}/v1/models`);
    expect(status).toBe(502);
    expect(message).toBe(
      `no upstream lists its models: upstream "dead" at ${NOBODY} refused the connection: is it running?; ` +
        'upstream "up-2" answered 500: on fire',
    );
  });

  test('keeps the status of the only upstream, so that a wrong key is known as one', async () => {
    const { url: asked } = await server({ status: 401, body: '{"error":"no key"}' });
    const { url } = await gateway([{ url: asked }]);
    expect(await ask(`${url}/v1/models`)).toMatchObject({
      status: 401,
      message: 'upstream "up-1" answered 401: no key',
    });
  });

  test('tells what else there is where a model is asked for that nobody has', async () => {
    const good = await server(lists('a', 'qwen/qwen3'));
    const { url } = await gateway([{ url: good.url }, { url: NOBODY, name: 'dead' }]);

    expect((await fetch(`${url}/v1/models/qwen/qwen3`)).status).toBe(200);
    expect(await ask(`${url}/v1/models/none`)).toMatchObject({
      status: 404,
      missing: 'dead',
      message:
        'there is no model of that name; there are a, qwen/qwen3; dead did not tell its models',
    });
  });

  test('shows each upstream its own key', async () => {
    const first = await server(lists('a'));
    const second = await server(lists('b'));
    const { url } = await gateway([
      { url: first.url, apiKey: 'k-1' },
      { url: second.url, apiKey: 'k-2' },
    ]);
    await ask(`${url}/v1/models`);
    expect(first.requests[0]?.headers.authorization).toBe('Bearer k-1');
    expect(second.requests[0]?.headers.authorization).toBe('Bearer k-2');
  });
});
