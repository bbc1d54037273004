import { describe, expect, test } from 'vitest';
import { CONFIG_DEFAULTS } from '../config/config-defaults.ts';
import { readArguments } from './read-arguments.ts';
import { PROXY_OPTIONS, readProxyFlags } from './read-proxy-flags.ts';

type Read = ReturnType<typeof readProxyFlags>;

function read(args: string[], env: Readonly<Record<string, string>> = {}): Read {
  return readProxyFlags(readArguments(args, PROXY_OPTIONS), env);
}

const UP = ['--upstream', 'http://127.0.0.1:1234/v1'];

describe('the options of holdfast proxy', () => {
  test('describe a gateway with the defaults of the file', () => {
    const { upstream, ...defaults } = CONFIG_DEFAULTS;
    expect(read(UP)).toEqual({
      config: {
        ...defaults,
        upstreams: [{ ...upstream, name: '127.0.0.1:1234', url: 'http://127.0.0.1:1234/v1' }],
      },
      notes: [],
    });
  });

  test('say everything the common case needs', () => {
    const args = '--host 0.0.0.0 --port 9000 --token t-1 --api-key k-1 --model qwen --eager';
    const more =
      '--protocol both --trace-dir traces --log debug --no-advice --on-invalid ask-again ' +
      '--tool-mode prompt --tool-format mistral --no-bare-calls --formats qwen,react ' +
      '--starts-in-reasoning true';
    const { config } = read([...UP, ...args.split(' '), ...more.split(' ')]);
    expect(config).toMatchObject({
      listen: { host: '0.0.0.0', port: 9000 },
      token: 't-1',
      upstreams: [
        {
          apiKey: 'k-1',
          modelMap: { '*': 'qwen' },
          protocols: ['chat', 'messages'],
          toolMode: 'prompt',
          toolFormat: 'mistral',
        },
      ],
      proxy: {
        eager: true,
        bareCalls: false,
        formats: ['qwen', 'react'],
        startsInReasoning: true,
        advice: false,
        onInvalid: 'ask-again',
      },
      traceDir: 'traces',
      log: { level: 'debug' },
    });
  });

  test.each([
    ['responses', ['responses']],
    ['all', ['chat', 'messages', 'responses']],
  ])('name the protocols of the server: %s', (word, protocols) => {
    expect(read([...UP, '--protocol', word]).config.upstreams).toMatchObject([{ protocols }]);
  });

  test('name several servers, which are asked in that order', () => {
    const { config, notes } = read([
      ...['--upstream', 'http://k-1@10.0.0.1/v1', '--upstream', 'http://10.0.0.2:8000/v1'],
      ...['--upstream', 'http://10.0.0.1/other/v1', '--model', 'qwen'],
    ]);
    const [first, second, third] = config.upstreams;
    expect(first).toMatchObject({ name: '10.0.0.1', url: 'http://10.0.0.1/v1', apiKey: 'k-1' });
    expect(second).toMatchObject({ name: '10.0.0.2:8000', modelMap: { '*': 'qwen' } });
    expect(third).toMatchObject({ name: '10.0.0.1-2', url: 'http://10.0.0.1/other/v1' });
    // A key is for the server in whose address it stands.
    expect(second).not.toHaveProperty('apiKey');
    expect(third).not.toHaveProperty('apiKey');
    expect(notes).toHaveLength(1);
  });

  test('name servers in place of the variable, not beside it', () => {
    const env = { HOLDFAST_UPSTREAM: 'http://10.0.0.9/v1' };
    expect(read(UP, env).config.upstreams).toHaveLength(1);
  });

  test('hold over the environment, which holds over the defaults', () => {
    const env = {
      HOLDFAST_UPSTREAM: 'http://10.0.0.1/v1',
      HOLDFAST_TOKEN: 't-env',
      HOLDFAST_API_KEY: 'k-env',
      HOLDFAST_LOG: 'warn',
    };
    expect(read([], env).config).toMatchObject({
      token: 't-env',
      upstreams: [{ url: 'http://10.0.0.1/v1', apiKey: 'k-env' }],
      log: { level: 'warn' },
    });
    const given = [...UP, '--token', 't', '--api-key', 'k', '--log', 'error'];
    expect(read(given, env).config).toMatchObject({
      token: 't',
      upstreams: [{ url: 'http://127.0.0.1:1234/v1', apiKey: 'k' }],
      log: { level: 'error' },
    });
  });

  test('take an empty variable for none', () => {
    const env = { HOLDFAST_TOKEN: '', HOLDFAST_API_KEY: '', HOLDFAST_LOG: '' };
    expect(read(UP, env)).toEqual(read(UP));
  });

  test('may name no upstream', () => {
    expect(read([]).config.upstreams).toEqual([]);
  });

  test('set the address right, and move a key out of it', () => {
    const { config, notes } = read(['--upstream', 'http://k-1@127.0.0.1:1234']);
    expect(config.upstreams).toMatchObject([{ url: 'http://127.0.0.1:1234/v1', apiKey: 'k-1' }]);
    expect(notes).toHaveLength(2);
    expect(notes.join()).not.toContain('k-1');
  });

  test.each([
    [['--upstream', 'localhost:1234'], '--upstream: expected an http or https URL such as '],
    [[...UP, '--host-name', 'a:80'], '--host-name: expected a name without a port, got "a:80"'],
    [[...UP, '--host-name', 'http://a'], '--host-name: expected a name without a port, got'],
    [[...UP, '--port', '70000'], '--port: expected a whole number from 0 to 65535, got "70000"'],
    [[...UP, '--port', 'http'], '--port: expected a whole number from 0 to 65535, got "http"'],
    [
      [...UP, '--protocol', 'chta'],
      '--protocol: expected chat, messages, responses, both or all, got "chta"; did you mean chat?',
    ],
    [[...UP, '--log', 'inof'], '--log: expected debug, info, warn, error or silent, got "inof"'],
    [
      [...UP, '--upstream', 'http://127.0.0.1:1234'],
      '--upstream: expected another server each time, got http://127.0.0.1:1234/v1 twice',
    ],
    [
      [...UP, '--upstream', 'http://10.0.0.1', '--api-key', 'k'],
      '--api-key: expected one --upstream, as a key is for one server only',
    ],
    [[...UP, '--upstream'], '--upstream needs a value'],
    [
      [...UP, '--tool-mode', 'promt'],
      '--tool-mode: expected native, prompt or auto, got "promt"; did you mean prompt?',
    ],
    [[...UP, '--tool-format', 'qwne'], 'got "qwne"; did you mean qwen?'],
    [[...UP, '--on-invalid', 'ask'], '--on-invalid: expected forward or ask-again, got "ask"'],
    [
      [...UP, '--protocol', 'messages', '--tool-mode', 'prompt'],
      '--tool-mode: expected --protocol chat, both or all, as tools are put into the prompt of ',
    ],
    [
      [...UP, '--protocol', 'responses', '--tool-format', 'qwen'],
      '--tool-format: expected --protocol chat, both or all, ',
    ],
    [[...UP, '--token', 'a b'], '--token: expected plain characters without spaces or line breaks'],
  ])('refuse %j', (args, message) => {
    expect(() => read(args)).toThrow(message);
  });

  test.each([
    [{ HOLDFAST_LOG: 'loud' }, 'HOLDFAST_LOG: expected debug, info, '],
    [{ HOLDFAST_API_KEY: 'CANARY\n' }, '--api-key: expected plain characters'],
    [{ HOLDFAST_UPSTREAM: 'http://a/v1?key=CANARY' }, 'expected a URL that ends with its path'],
  ])('refuse %j in the environment, and repeat no secret', (env, message) => {
    const args = 'HOLDFAST_UPSTREAM' in env ? [] : UP;
    expect(() => read(args, env)).toThrow(message);
    expect(() => read(args, env)).not.toThrow('CANARY');
  });
});
