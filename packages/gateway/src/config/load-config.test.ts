import { describe, expect, test } from 'vitest';
import { CONFIG_DEFAULTS } from './config-defaults.ts';
import { formatConfigProblem } from './config-problem.ts';
import type { GatewayConfig } from './gateway-config.ts';
import { loadConfig } from './load-config.ts';

type Env = Readonly<Record<string, string>>;

function load(text: string, env: Env = {}): GatewayConfig {
  const loaded = loadConfig(text, { file: '/etc/holdfast.yaml', env });
  if (!loaded.ok) throw new Error(loaded.problems.map(formatConfigProblem).join('\n'));
  return loaded.config;
}

function problems(text: string, env: Env = {}): string[] {
  const loaded = loadConfig(text, { file: 'holdfast.yaml', env });
  return loaded.ok ? [] : loaded.problems.map(formatConfigProblem);
}

const UPSTREAM = 'upstreams: [{ url: http://127.0.0.1:1234/v1 }]\n';

describe('holdfast.yaml', () => {
  test('needs no more than the address of an upstream', () => {
    const { upstream, ...rest } = CONFIG_DEFAULTS;
    expect(load(UPSTREAM)).toEqual({
      ...rest,
      upstreams: [{ ...upstream, name: '127.0.0.1:1234', url: 'http://127.0.0.1:1234/v1' }],
    });
  });

  test('says everything there is to say', () => {
    const text = `
listen: { host: 0.0.0.0, port: 9000, hosts: [models.local] }
token: \${TOKEN}
upstreams:
  - name: lm-studio
    url: http://127.0.0.1:1234/v1
    apiKey: \${LM_KEY:-}
    protocols: [chat, messages, responses]
    models: ['qwen*', gpt-oss]
    modelMap: { 'claude-*': qwen3-coder }
    headers: { x-team: local }
    connectTimeoutMs: 1
    firstByteTimeoutMs: 2
    idleTimeoutMs: 3
    toolMode: prompt
    toolFormat: mistral
    startsInReasoning: { 'qwq*': true, '*': auto }
    circuit: { consecutiveFailures: 7, failureRatio: 0.25, minCalls: 8, windowMs: 9, openForMs: 10,
               scope: local, onStoreLoss: refuse }
proxy:
  eager: true
  callsInReasoning: read
  formats: [qwen]
  startsInReasoning: false
  bareCalls: false
  maxRequestBytes: 4
  maxResponseBytes: 10000
  keepAliveMs: 5
  normalise: { images: refuse }
  retry: { maxAttempts: 11, baseDelayMs: 12, maxDelayMs: 13, maxWaitMs: 14 }
  advice: false
  onInvalid: ask-again
api: { maxRequestBytes: 7000 }
observe:
  { capture: true, reveal: true, captureRequests: 15, history: false, historyDir: ./history,
    historyMaxBytes: 70000, historyMaxAgeDays: 16, metrics: false, dashboard: false }
log: { level: debug }
traceDir: ./traces
shutdownGraceMs: 6
`;
    expect(load(text, { TOKEN: 't-1' })).toEqual({
      listen: { host: '0.0.0.0', port: 9000, hosts: ['models.local'] },
      token: 't-1',
      upstreams: [
        {
          name: 'lm-studio',
          url: 'http://127.0.0.1:1234/v1',
          protocols: ['chat', 'messages', 'responses'],
          models: ['qwen*', 'gpt-oss'],
          modelMap: { 'claude-*': 'qwen3-coder' },
          headers: { 'x-team': 'local' },
          connectTimeoutMs: 1,
          firstByteTimeoutMs: 2,
          idleTimeoutMs: 3,
          toolMode: 'prompt',
          toolFormat: 'mistral',
          startsInReasoning: { 'qwq*': true, '*': 'auto' },
          circuit: {
            consecutiveFailures: 7,
            failureRatio: 0.25,
            minCalls: 8,
            windowMs: 9,
            openForMs: 10,
            scope: 'local',
            onStoreLoss: 'refuse',
          },
        },
      ],
      proxy: {
        eager: true,
        callsInReasoning: 'read',
        formats: ['qwen'],
        startsInReasoning: false,
        bareCalls: false,
        maxRequestBytes: 4,
        maxResponseBytes: 10_000,
        keepAliveMs: 5,
        normalise: { ...CONFIG_DEFAULTS.proxy.normalise, images: 'refuse' },
        retry: { maxAttempts: 11, baseDelayMs: 12, maxDelayMs: 13, maxWaitMs: 14 },
        advice: false,
        onInvalid: 'ask-again',
      },
      api: { maxRequestBytes: 7000 },
      observe: {
        capture: true,
        reveal: true,
        captureRequests: 15,
        history: false,
        historyDir: '/etc/history',
        historyMaxBytes: 70_000,
        historyMaxAgeDays: 16,
        metrics: false,
        dashboard: false,
      },
      log: { level: 'debug' },
      traceDir: '/etc/traces',
      shutdownGraceMs: 6,
    });
  });

  test('names file, line, column and path of all that is wrong at once', () => {
    const text = `listen: { prot: 1 }
upstrems: []
upstreams:
  - nam: x
    url: localhost:1234
    apiKey: 12345
  - url:
    models: []
proxy:
  eager: yes
log: { level: inof }
`;
    expect(problems(text)).toEqual([
      'holdfast.yaml:1:11: listen.prot: unknown key; did you mean port?',
      'holdfast.yaml:2:1: upstrems: unknown key; did you mean upstreams?',
      'holdfast.yaml:4:5: upstreams[0].nam: unknown key; did you mean name?',
      'holdfast.yaml:5:10: upstreams[0].url: expected an http or https URL such as http://localhost:1234/v1, got "localhost:1234"',
      'holdfast.yaml:6:13: upstreams[0].apiKey: expected text; put quotes around a number, got a number',
      'holdfast.yaml:7:5: upstreams[1].url: expected an http or https URL such as http://127.0.0.1:1234/v1, got nothing',
      "holdfast.yaml:8:13: upstreams[1].models: expected at least one model; '*' is any, got an empty list",
      'holdfast.yaml:10:10: proxy.eager: expected true or false, got "yes"',
      'holdfast.yaml:11:15: log.level: expected debug, info, warn, error or silent, got "inof"; did you mean info?',
    ]);
  });

  test.each([
    ['', '1:1: expected a section with listen, token, upstreams, '],
    ['- a', '1:1: expected a section with listen, '],
    [
      'listen: 127.0.0.1:1',
      '1:1: upstreams: expected a list of upstreams, each with a url, or mcp with servers; got nothing',
    ],
    [
      'upstreams: []',
      '1:12: upstreams: expected a list of upstreams, each with a url, or mcp with servers; got nothing',
    ],
    [
      `${UPSTREAM}listen: 80`,
      '2:9: listen: expected an address such as 127.0.0.1:8787, or a section with host and port, got 80',
    ],
    [
      `${UPSTREAM}listen: there`,
      '2:9: listen: expected an address such as 127.0.0.1:8787, [::1]:8787 or localhost:8787, got "there"',
    ],
    [
      `${UPSTREAM}listen: { port: 65536 }`,
      '2:17: listen.port: expected a whole number from 0 to 65535, got 65536',
    ],
    [
      `${UPSTREAM}shutdownGraceMs: 1.5`,
      '2:18: shutdownGraceMs: expected a whole number from 1 to 2147483647, in milliseconds, got 1.5',
    ],
    [`${UPSTREAM}colour: red`, '2:1: colour: unknown key; expected listen, token, '],
    [
      `${UPSTREAM}proxy: { normalise: { image: pass } }`,
      '2:23: proxy.normalise.image: unknown key; did you mean images?',
    ],
    [
      'upstreams: [{ url: http://a/v1, protocols: [chta] }]',
      '1:45: upstreams[0].protocols[0]: expected chat, messages or responses, got "chta"; did you mean chat?',
    ],
    [
      'upstreams: [{ url: http://a/v1, protocols: [] }]',
      '1:44: upstreams[0].protocols: expected a list of chat, messages and responses, or some of them, got an empty list',
    ],
    [
      'upstreams: [{ url: http://a/v1, toolMode: promt }]',
      '1:43: upstreams[0].toolMode: expected native, prompt or auto, got "promt"; did you mean prompt?',
    ],
    [
      'upstreams: [{ url: http://a/v1, toolFormat: qwne }]',
      '1:45: upstreams[0].toolFormat: expected anthropic-xml, ',
    ],
    [
      'upstreams: [{ url: http://a/v1, protocols: [messages], toolMode: prompt }]',
      '1:66: upstreams[0].toolMode: expected protocols with chat, as tools are put into the prompt of Chat Completions; got "prompt" with protocols: [messages]',
    ],
    [
      'upstreams: [{ url: http://a/v1, protocols: [messages, responses], toolFormat: qwen }]',
      '1:79: upstreams[0].toolFormat: expected protocols with chat, ',
    ],
    [
      'upstreams: [{ url: http://a/v1, circuit: { failureRatio: 1.5 } }]',
      '1:58: upstreams[0].circuit.failureRatio: expected a share above 0, up to 1, got 1.5',
    ],
    [
      'upstreams: [{ url: http://a/v1, circuit: { openFor: 1 } }]',
      '1:44: upstreams[0].circuit.openFor: unknown key; did you mean openForMs?',
    ],
    [
      `${UPSTREAM}proxy: { retry: { maxAttempts: 0 } }`,
      '2:32: proxy.retry.maxAttempts: expected a whole number from 1 to 20, got 0',
    ],
    [
      `${UPSTREAM}proxy: { onInvalid: askagain }`,
      '2:21: proxy.onInvalid: expected forward or ask-again, got "askagain"; did you mean ask-again?',
    ],
    [
      'upstreams: [{ url: http://a/v1, headers: { Host: b } }]',
      '1:44: upstreams[0].headers.Host: expected a header that the proxy does not write itself',
    ],
    [
      'upstreams: [{ url: http://a/v1, headers: { "a b": c } }]',
      '1:44: upstreams[0].headers["a b"]: expected the name of a header',
    ],
    [
      'upstreams:\n  - url: http://a/v1\n  - url: http://a/v2',
      '3:5: upstreams[1].name: expected a name of its own, got "a", which upstreams[0] has',
    ],
    [
      `${UPSTREAM}listen: 0.0.0.0:80`,
      '2:9: listen: expected a token, as other machines reach 0.0.0.0 ',
    ],
    [`${UPSTREAM}listen: 0.0.0.0:80\ntoken: \${NONE:-}`, '2:9: listen: expected a token, '],
    [`${UPSTREAM}token: \${NONE}`, '2:8: token: the environment variable NONE is not set; '],
    [`${UPSTREAM}adviceKey: hunter2`, 'adviceKey: expected a secret of at least 32 characters'],
    // YAML itself.
    ['upstreams: [', '1:13: '],
    ['log: {}\nlog: {}', '2:1: Map keys must be unique'],
    [
      'upstreams:\n  - url: http://a/v1\n    models: [*]',
      '3:14: expected a value, got * and a name; put quotes around text that begins with *',
    ],
    [`${UPSTREAM}token: *none`, '2:8: expected a value, got * and a name; '],
    ['upstreams: [{ url: ${URL} }]', '; between { } or [ ], put quotes around "${…}"'],
    [`${UPSTREAM}token: !secret x`, '2:8: Unresolved tag: !secret'],
    [`${UPSTREAM}---\n${UPSTREAM}`, '2:1: '],
    [`${UPSTREAM}? [a, b]\n: 1`, '2:3: '],
  ])('%j is refused: %s', (text, message) => {
    const [problem, ...more] = problems(text);
    expect(problem).toContain(message);
    expect(problem).toMatch(/^holdfast\.yaml:\d+:\d+: /);
    expect(problem).not.toContain('hunter2');
    expect(more).toEqual([]);
  });

  test.each([
    ['token: [CANARY]', {}],
    ['token: ${T}', { T: 'CANARY\n' }],
    ['upstreams: [{ url: http://CANARY@a/v1?x }]', {}],
    ['upstreams: [{ url: http://a/v1?key=CANARY }]', {}],
    ['upstreams: [{ url: http://a/v1, apiKey: { key: CANARY } }]', {}],
    ['upstreams: [{ url: http://a/v1, headers: { authorization: "CANARY\\n" } }]', {}],
  ])('what is said about %s holds no secret', (text, env: Env) => {
    const said = problems(text, env);
    expect(said.length).toBeGreaterThan(0);
    expect(said.join('\n')).not.toContain('CANARY');
  });

  test('a value from the environment changes no structure', () => {
    const url = 'http://a/v1", "apiKey": "stolen';
    expect(problems('upstreams: [{ url: "${URL}" }]', { URL: url })).toHaveLength(1);
    const { token } = load(`${UPSTREAM}token: \${T}`, { T: 'a: [b, c]' });
    expect(token).toBe('a: [b, c]');
  });

  test('a number or a switch may come from the environment, a key stays text', () => {
    const text =
      'listen: { port: "${PORT}" }\nproxy: { eager: "${EAGER}" }\ntoken: ${TOKEN}\n' +
      'upstreams:\n  - url: http://a/v1\n    idleTimeoutMs: ${IDLE:-7}\n' +
      '    circuit: { failureRatio: "${RATIO:-0.25}" }\n';
    const config = load(text, { PORT: '81', EAGER: 'true', TOKEN: '123' });
    expect(config).toMatchObject({
      listen: { port: 81 },
      token: '123',
      proxy: { eager: true },
      upstreams: [{ idleTimeoutMs: 7, circuit: { failureRatio: 0.25 } }],
    });
    expect(problems(text, { PORT: 'http', EAGER: 'yes', TOKEN: 't' })).toEqual([
      'holdfast.yaml:1:17: listen.port: expected a whole number from 0 to 65535, got "http"',
      'holdfast.yaml:2:17: proxy.eager: expected true or false, got "yes"',
    ]);
  });

  test('an upstream without Chat Completions keeps the defaults of tools', () => {
    const text = 'upstreams: [{ url: http://a/v1, protocols: [responses] }]';
    expect(load(text).upstreams).toMatchObject([{ protocols: ['responses'], toolMode: 'auto' }]);
  });

  test('a key that says nothing is as good as none', () => {
    expect(load(`${UPSTREAM}token:\nproxy:\n  normalise:\n    # images: pass\nlog:\n`)).toEqual(
      load(UPSTREAM),
    );
  });

  test('an address is set right with a note that names the upstream', () => {
    const text = 'upstreams: [{ name: lm, url: http://me:CANARY@127.0.0.1:1234 }]';
    const loaded = loadConfig(text, { file: 'holdfast.yaml', env: {} });
    expect(loaded).toMatchObject({
      ok: true,
      config: { upstreams: [{ url: 'http://127.0.0.1:1234/v1', apiKey: 'CANARY' }] },
      notes: [
        'upstream lm: the key in the URL is used as the API key',
        'upstream lm: http://127.0.0.1:1234 has no path: http://127.0.0.1:1234/v1 is asked',
      ],
    });
  });

  test('__proto__ is an unknown key like any other', () => {
    expect(problems(`${UPSTREAM}__proto__: { token: x }`)).toEqual([
      expect.stringContaining('__proto__: unknown key'),
    ]);
  });
});

test('a file with very many mistakes is told, and throws nothing', () => {
  const loaded = loadConfig(`upstreams:\n${'- {}\n'.repeat(130_000)}`, { file: 'f.yaml', env: {} });
  expect(loaded.ok ? 0 : loaded.problems.length).toBe(130_000);
}, 30_000);
