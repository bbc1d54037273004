import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { formatConfigProblem } from '../config/config-problem.ts';
import { memoryLogger } from '../log/memory-logger.case.ts';
import type { OpenedPlugins } from './open-plugins.ts';
import { openPlugins } from './open-plugins.ts';
import type { PluginHost, PostOutcome } from './plugin-run.ts';

let folder = '';
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'holdfast-plugins-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

const log = memoryLogger();

function open(yaml: string, watch = false): Promise<OpenedPlugins> {
  return openPlugins({ file: write('plugins.yaml', yaml), env: {}, log, watch });
}

async function opened(yaml: string, watch = false): Promise<Extract<OpenedPlugins, { ok: true }>> {
  const plugins = await open(yaml, watch);
  if (!plugins.ok) throw new Error(plugins.problems.map(formatConfigProblem).join('\n'));
  return plugins;
}

async function problemsOf(yaml: string): Promise<string> {
  const plugins = await open(yaml);
  return plugins.ok ? '' : plugins.problems.map(formatConfigProblem).join('\n');
}

async function call(host: PluginHost, result = 'done'): Promise<PostOutcome | undefined> {
  const run = host.begin({ requestId: '1', tool: 'search' });
  await run?.pre({});
  return run?.post(result);
}

const SIGN = `
export default (config, { log, clock }) => ({
  tool_post_invoke: ({ name, result }) => ({
    modified_payload: { name, result: result + ' ' + config.sign },
    metadata: { tools: [typeof log.info, typeof clock.now] },
  }),
});`;

describe('a plugin of your own', () => {
  test('is a module beside the plugin file', async () => {
    write('sign.mjs', SIGN);
    const { host } = await opened('- { name: sign, kind: ./sign.mjs, config: { sign: bye } }');
    expect(await call(host)).toEqual({
      result: 'done bye',
      metadata: { tools: ['function', 'function'] },
    });
  });

  test('may be an object, and lie in one of plugin_dirs', async () => {
    mkdirSync(join(folder, 'mine'));
    write(
      'mine/stop.mjs',
      'export default { tool_pre_invoke: () => ({ continue_processing: false }) };',
    );
    const { host } = await opened(
      'plugin_dirs: [none, mine]\nplugins: [{ name: s, kind: stop.mjs }]',
    );
    const outcome = await host.begin({ requestId: '1', tool: 'x' })?.pre({});
    expect(outcome?.violation?.code).toBe('PLUGIN_VIOLATION');
  });

  test.each([
    ['export default 5;', 'expected its default export to be an object with tool_pre_invoke'],
    ['export default () => ({});', 'expected what its default export returns to be an object'],
    ['export default { tool_pre_invoke: 3 };', 'got an object without either'],
    ['export const plugin = {};', 'got nothing'],
    ["throw new Error('no database');", 'could not be loaded: no database'],
    ['this is no program', 'could not be loaded'],
  ])('is refused where it is none: %s', async (code, message) => {
    write('wrong.mjs', code);
    expect(await problemsOf('- { name: a, kind: ./wrong.mjs }')).toContain(message);
  });

  test('is told of with its place where it is missing', async () => {
    expect(await problemsOf('- name: a\n  kind: ./gone.mjs')).toBe(
      `${join(folder, 'plugins.yaml')}:2:9: [0].kind: expected a module that exists, got "./gone.mjs", which is not in .`,
    );
  });
});

describe('a module outside of the folders of plugins', () => {
  const OUTSIDE = 'which leads out of them';

  test.each([['../evil.mjs'], ['a/../../evil.mjs'], ['/etc/evil.mjs'], ['..\\/..\\/evil.mjs']])(
    'is refused: %s',
    async (kind) => {
      expect(await problemsOf(`- { name: a, kind: '${kind}' }`)).toMatch(
        /which leads out of them|which is not in/,
      );
    },
  );

  test('is refused although it exists', async () => {
    mkdirSync(join(folder, 'inside'));
    write('evil.mjs', 'throw new Error("ran");');
    const file = write('inside/plugins.yaml', '- { name: a, kind: ../evil.mjs }');
    const result = await openPlugins({ file, env: {}, log, watch: false });
    expect(JSON.stringify(result)).toContain(OUTSIDE);
  });

  test('is refused behind a link too, and neither is run', async () => {
    mkdirSync(join(folder, 'inside'));
    write('evil.mjs', 'globalThis.evilRan = true; export default { tool_pre_invoke() {} };');
    symlinkSync(join(folder, 'evil.mjs'), join(folder, 'inside', 'nice.mjs'));
    const file = write('inside/plugins.yaml', '- { name: a, kind: ./nice.mjs }');
    const result = await openPlugins({ file, env: {}, log, watch: false });
    expect(JSON.stringify(result)).toContain(OUTSIDE);
    expect('evilRan' in globalThis).toBe(false);
  });
});

describe('a kind', () => {
  test.each([
    ['circuit-breaker'],
    ['plugins.circuit_breaker.circuit_breaker.CircuitBreakerPlugin'],
    ['retry-with-backoff'],
    ['plugins.retry_with_backoff.retry_with_backoff.RetryWithBackoffPlugin'],
    ['cpex_retry_with_backoff.RetryWithBackoffPlugin'],
    ['fallback-advisor'],
    ['schema-guard'],
    ['plugins.schema_guard.schema_guard.SchemaGuardPlugin'],
    ['output-length-guard'],
    ['plugins.output_length_guard.output_length_guard.OutputLengthGuardPlugin'],
    ['secrets-masking'],
    ['plugins.secrets_detection.secrets_detection.SecretsDetectionPlugin'],
    ['cpex_secrets_detection.SecretsDetectionPlugin'],
  ])('%s is built in', async (kind) => {
    const { host } = await opened(`- { name: a, kind: ${kind} }`);
    expect(host.begin({ requestId: '1', tool: 'x' })).toBeDefined();
    expect(host.guardsTool('x')).toBe(/circuit/.test(kind));
  });

  test.each([
    ['circuit-braker', 'did you mean circuit-breaker?'],
    ['plugins.a.b.CircuitBreakPlugin', 'did you mean CircuitBreakerPlugin?'],
    ['plugins.sql_sanitizer.sql_sanitizer.SQLSanitizerPlugin', 'expected circuit-breaker, retry'],
    ['external', 'plugins that run as servers of their own are not supported'],
    ['toString', 'expected circuit-breaker, retry'],
  ])('%s is refused: %s', async (kind, message) => {
    expect(await problemsOf(`- { name: a, kind: ${kind} }`)).toContain(message);
  });
});

describe('a plugin file that changes', () => {
  test('is followed, and circuits of a plugin that did not change stay open', async () => {
    const breaker =
      '- { name: cb, kind: circuit-breaker, config: { consecutive_failure_threshold: 1 } }\n';
    const { host, reload } = await opened(breaker);
    const run = host.begin({ requestId: '1', tool: 'search' });
    await run?.pre({});
    await run?.post({ isError: true });
    write('sign.mjs', SIGN);
    write('plugins.yaml', `${breaker}- { name: sign, kind: ./sign.mjs, config: { sign: hi } }\n`);
    await reload();
    const outcome = await host.begin({ requestId: '2', tool: 'search' })?.pre({});
    expect(outcome?.violation?.code).toBe('CIRCUIT_OPEN');
  });

  test('leaves the plugins as they were where it is wrong', async () => {
    write('sign.mjs', SIGN);
    const { host, reload } = await opened(
      '- { name: sign, kind: ./sign.mjs, config: { sign: a } }',
    );
    write('plugins.yaml', '- { name: sign, kind: ./signs.mjs }');
    await reload();
    expect((await call(host))?.result).toBe('done a');
    expect(log.entries.at(-1)?.message).toBe('the plugins stay as they were');
  });

  test('is seen by itself, and so is a module beside it', async () => {
    write('sign.mjs', SIGN);
    const { host } = await opened('- { name: sign, kind: ./sign.mjs, config: { sign: a } }', true);
    write('plugins.yaml', '- { name: sign, kind: ./sign.mjs, config: { sign: b } }');
    await vi.waitFor(async () => expect((await call(host))?.result).toBe('done b'), 5000);
    write('sign.mjs', SIGN.replace("' '", "' and '"));
    await vi.waitFor(async () => expect((await call(host))?.result).toBe('done and b'), 5000);
    await host.close();
  });
});
