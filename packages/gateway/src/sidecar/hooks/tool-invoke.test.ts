import { ManualClock } from '@holdfast/core/testing';
import { describe, expect, test } from 'vitest';
import type { PluginViolation } from '../../plugins/plugin.ts';
import { textOf } from '../../proxy/json/json-fields.ts';
import { runningSidecar } from '../running-sidecar.case.ts';
import { standInPlugins } from './stand-in-plugins.case.ts';

const PRE = 'hooks/tool_pre_invoke';
const POST = 'hooks/tool_post_invoke';
const pre = (id: string, others: object = {}): object => ({
  request_id: id,
  name: 'payment_api',
  args: { amount: 12 },
  ...others,
});
const post = (id: string, others: object = {}): object => ({
  request_id: id,
  name: 'payment_api',
  result: 'paid',
  ...others,
});

const OPEN: PluginViolation = {
  reason: 'Circuit open',
  description: 'Do not call payment_api again before 12:00.',
  code: 'CIRCUIT_OPEN',
  details: { retry_after_seconds: 29.2 },
  http_status_code: 503,
  http_headers: { 'Retry-After': '30' },
};

describe('tool_pre_invoke and tool_post_invoke', () => {
  test('are one run of the plugins, which hear whose call it is', async () => {
    const plugins = standInPlugins();
    const { ask } = await runningSidecar({ plugins });
    const caller = { server_id: 's', tenant_id: 't', user: 'u', conversation_id: 'c' };
    const before = await ask(PRE, pre('r1', caller));
    const after = await ask(POST, post('r1'));
    expect(before.json).toEqual({ continue_processing: true, metadata: {} });
    expect(after.json).toEqual({ continue_processing: true, metadata: {} });
    expect(plugins.seen).toEqual(['pre r1', 'post r1']);
    expect(plugins.calls).toEqual([
      {
        requestId: 'r1',
        tool: 'payment_api',
        server: 's',
        tenant: 't',
        user: 'u',
        conversation: 'c',
      },
    ]);
  });

  test('give what plugins changed, headers and metadata with it', async () => {
    const plugins = standInPlugins({
      pre: (args, headers) => ({
        args: { ...args, checked: true },
        metadata: { trace: headers?.['x-trace'] ?? '' },
      }),
      post: (result, how) => ({
        result: `${textOf(result)}, thank you`,
        metadata: { late: how?.timedOut ?? false },
      }),
    });
    const { ask } = await runningSidecar({ plugins });
    const headers = { 'x-trace': '7' };
    expect((await ask(PRE, pre('r1', { headers }))).json).toEqual({
      continue_processing: true,
      modified_payload: { name: 'payment_api', args: { amount: 12, checked: true }, headers },
      metadata: { trace: '7' },
    });
    expect((await ask(POST, post('r1', { timed_out: true }))).json).toEqual({
      continue_processing: true,
      modified_payload: { name: 'payment_api', result: 'paid, thank you' },
      metadata: { late: true },
    });
  });

  test('cost no run where no plugin is around the tool, and belong together all the same', async () => {
    const { ask } = await runningSidecar();
    expect((await ask(PRE, pre('r1'))).json).toEqual({ continue_processing: true, metadata: {} });
    expect((await ask(PRE, pre('r1'))).status).toBe(409);
    expect((await ask(POST, post('r1'))).json).toEqual({ continue_processing: true, metadata: {} });
  });
});

describe('a violation', () => {
  test('of a circuit is a 503 with Retry-After in whole seconds and the same body', async () => {
    const plugins = standInPlugins({
      pre: () => ({ violation: OPEN, metadata: { circuit_half_open: false } }),
    });
    const { ask } = await runningSidecar({ plugins });
    const { status, headers, json } = await ask(PRE, pre('r1'));
    expect([status, headers.get('retry-after')]).toEqual([503, '30']);
    expect(json).toEqual({
      continue_processing: false,
      violation: OPEN,
      metadata: { circuit_half_open: false },
    });
    expect(plugins.seen).toEqual(['pre r1', 'abandon r1']);
  });

  test.each([
    ['of the header where the details say nothing', {}, { 'retry-after': '7' }, '7'],
    ['one second where nothing is said', {}, {}, '1'],
    ['never zero', { retry_after_seconds: 0 }, {}, '1'],
    ['no date and no words', { retry_after_seconds: 'soon' }, { 'Retry-After': 'soon\r\n' }, '1'],
  ])('has a Retry-After %s', async (_, details, http_headers, wanted) => {
    const plugins = standInPlugins({
      pre: () => ({ violation: { ...OPEN, details, http_headers } }),
    });
    const { ask } = await runningSidecar({ plugins });
    expect((await ask(PRE, pre('r1'))).headers.get('retry-after')).toBe(wanted);
  });

  test('of anything else is a 200 that says not to go on', async () => {
    const { http_status_code: _, http_headers: __, ...violation } = OPEN;
    const plugins = standInPlugins({ pre: () => ({ violation }), post: () => ({ violation }) });
    const { ask } = await runningSidecar({ plugins });
    const body = { continue_processing: false, violation, metadata: {} };
    const before = await ask(PRE, pre('r1'));
    expect([before.status, before.json]).toEqual([200, body]);
    expect((await ask(POST, post('r2'))).json).toMatchObject({ ...body, metadata: {} });
  });

  test('lets the call be asked for again, and takes no result of what never ran', async () => {
    let isOpen = true;
    const plugins = standInPlugins({ pre: () => (isOpen ? { violation: OPEN } : {}) });
    const { ask } = await runningSidecar({ plugins });
    await ask(PRE, pre('r1'));
    const { status, json } = await ask(POST, post('r1'));
    expect([status, JSON.stringify(json)]).toEqual([409, expect.stringContaining('not run')]);
    isOpen = false;
    expect((await ask(PRE, pre('r1'))).status).toBe(200);
  });
});

describe('a request_id', () => {
  test('cannot be that of two calls, nor have two results', async () => {
    const plugins = standInPlugins();
    const { ask } = await runningSidecar({ plugins });
    await ask(PRE, pre('r1'));
    const twice = await ask(PRE, pre('r1'));
    expect(twice.status).toBe(409);
    expect(twice.json['error']).toMatchObject({
      message:
        'request_id: expected one for each call, got "r1", which is that of a call of payment_api that is under way',
      param: 'request_id',
      code: 'request_id_in_use',
    });
    expect((await ask(POST, post('r1'))).status).toBe(200);
    expect((await ask(POST, post('r1'))).status).toBe(409);
    expect((await ask(PRE, pre('r1'))).status).toBe(409);
    expect(plugins.seen).toEqual(['pre r1', 'post r1']);
  });

  test('must be that of the same tool after the call', async () => {
    const { ask } = await runningSidecar({ plugins: standInPlugins() });
    await ask(PRE, pre('r1'));
    const { status, json } = await ask(POST, post('r1', { name: 'refund_api' }));
    expect(status).toBe(400);
    expect(json['error']).toMatchObject({
      message: 'name: expected "payment_api", as before the call, got "refund_api"',
    });
    expect((await ask(POST, post('r1'))).status).toBe(200);
  });

  test('takes no result while the plugins before the call still run', async () => {
    let go = (): void => undefined;
    const held = new Promise<object>((resolve) => (go = () => resolve({})));
    let hasBegun = (): void => undefined;
    const begun = new Promise<void>((resolve) => (hasBegun = resolve));
    const plugins = standInPlugins({
      pre: () => {
        hasBegun();
        return held;
      },
    });
    const { ask } = await runningSidecar({ plugins });
    const first = ask(PRE, pre('r1'));
    await begun;
    expect((await ask(POST, post('r1'))).status).toBe(409);
    go();
    expect((await first).status).toBe(200);
    expect((await ask(POST, post('r1'))).status).toBe(200);
  });

  test('that nobody has told of before begins a run after the call, and the answer says so', async () => {
    const plugins = standInPlugins();
    const { ask } = await runningSidecar({ plugins });
    const { status, json } = await ask(POST, post('r1', { server_id: 's' }));
    expect(status).toBe(200);
    expect(json).toEqual({ continue_processing: true, metadata: { without_pre_invoke: true } });
    expect(plugins.calls).toEqual([{ requestId: 'r1', tool: 'payment_api', server: 's' }]);
  });

  test('goes on with the same run where a plugin asks for another attempt', async () => {
    let attempts = 0;
    const plugins = standInPlugins({ post: () => (attempts++ < 2 ? { retryDelayMs: 200 } : {}) });
    const { ask } = await runningSidecar({ plugins });
    await ask(PRE, pre('r1'));
    expect((await ask(POST, post('r1'))).json['retry_delay_ms']).toBe(200);
    expect((await ask(PRE, pre('r1'))).status).toBe(200);
    expect((await ask(POST, post('r1'))).json['retry_delay_ms']).toBe(200);
    expect((await ask(POST, post('r1'))).json).not.toHaveProperty('retry_delay_ms');
    expect((await ask(POST, post('r1'))).status).toBe(409);
    expect(plugins.calls).toHaveLength(1);
  });
});

describe('a call whose end nobody tells', () => {
  test('is given up after ten minutes, and not before', async () => {
    const clock = new ManualClock();
    const plugins = standInPlugins();
    const { ask } = await runningSidecar({ plugins, clock });
    await ask(PRE, pre('r1'));
    await clock.advance(599_999);
    expect(plugins.seen).toEqual(['pre r1']);
    await clock.advance(1);
    expect(plugins.seen).toEqual(['pre r1', 'abandon r1']);
    expect((await ask(POST, post('r1'))).json['metadata']).toEqual({ without_pre_invoke: true });
  });

  test('is given up when the sidecar is closed', async () => {
    const clock = new ManualClock();
    const plugins = standInPlugins();
    const { ask, close } = await runningSidecar({ plugins, clock });
    await ask(PRE, pre('r1'));
    await close();
    expect(plugins.seen).toEqual(['pre r1', 'abandon r1']);
    expect(clock.pendingTimers).toBe(0);
  });
});

test('a plugin that fails stops the call with a violation, and only the log has the reason', async () => {
  const fail = (): Promise<never> => Promise.reject(new Error('no route to 10.0.0.7'));
  const { ask, log } = await runningSidecar({ plugins: standInPlugins({ pre: fail, post: fail }) });
  for (const [path, body] of [
    [PRE, pre('r1')],
    [POST, post('r2')],
  ] as const) {
    const { status, json } = await ask(path, body);
    expect(status).toBe(200);
    expect(json).toMatchObject({ continue_processing: false, violation: { code: 'PLUGIN_ERROR' } });
    expect(JSON.stringify(json)).not.toContain('10.0.0.7');
  }
  const errors = log.entries.filter(({ level }) => level === 'error');
  expect(errors.map(({ fields }) => fields['tool'])).toEqual(['payment_api', 'payment_api']);
});
