import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EXIT } from './exit-codes.ts';
import { memoryIo } from './memory-io.case.ts';
import { ENV, moodyServer } from './moody-server.case.ts';
import { run } from './run.ts';

const folder = mkdtempSync(join(tmpdir(), 'holdfast-call-'));
const file = join(folder, 'mcp.json');
const everything = fileURLToPath(
  import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'),
);

beforeAll(() => {
  const mcpServers = {
    everything: { command: process.execPath, args: [everything, 'stdio'] },
    gone: { command: join(folder, 'no-such-program') },
  };
  writeFileSync(file, JSON.stringify({ mcpServers }));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function call(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const io = memoryIo({ env: ENV });
  const code = await run(['call', ...args], io);
  return { code, out: io.out(), err: io.err() };
}

describe('holdfast call', () => {
  test('prints what a model would read, with arguments read by the schema of the tool', async () => {
    expect(await call('--config', file, 'everything', 'get-sum', 'a=2', 'b=3')).toEqual({
      code: EXIT.ok,
      out: 'The sum of 2 and 3 is 5.\n',
      err: '',
    });
  });

  test('prints the whole result with --raw', async () => {
    const args = ['--raw', '--json', '{"a": 1, "b": 1}', 'get-sum', 'b=40'];
    const { out } = await call(...args, '--', process.execPath, everything, 'stdio');
    expect(JSON.parse(out)).toMatchObject({
      content: [{ type: 'text', text: 'The sum of 1 and 40 is 41.' }],
      _meta: { circuit_calls_in_window: 1 },
    });
  });

  test('says what is no text', async () => {
    const { out } = await call('--config', file, 'everything', 'get-tiny-image');
    expect(out).toContain('[image image/png]\n');
  });

  test('ends with 4 where the tool failed, or the arguments do not fit it', async () => {
    const { code, out } = await call('--config', file, 'everything', 'get-sum', 'a=two', 'b=3');
    expect({ code, out }).toEqual({
      code: EXIT.toolFailed,
      out: 'the arguments of get-sum do not fit:\n- a: expected a number, got the string "two"\n',
    });
  });

  test('runs plugins around the call', async () => {
    const plugins = join(folder, 'plugins.yaml');
    writeFileSync(
      plugins,
      '- { name: guard, kind: output-length-guard, config: { max_chars: 3 } }',
    );
    const { out } = await call('--plugins', plugins, 'pay', '--', ...moodyServer('pay'));
    expect(out).toBe('pa…\n');
  });

  test('ends with 5 where the server is not there', async () => {
    const { code, out, err } = await call('--config', file, 'gone', 'pay');
    expect({ code, out }).toEqual({ code: EXIT.noServer, out: '' });
    expect(err).toContain('gone: The server gone cannot be started');
  });

  test.each([
    [['pay'], 'expected a server and a tool, or a tool and a command behind --'],
    [
      ['--config', file, 'everythin', 'echo'],
      'unknown server "everythin"; expected one of everything, gone; did you mean everything?',
    ],
    [
      ['--', ...moodyServer('pay')],
      'expected a server and a tool, or a tool and a command behind --',
    ],
    [
      ['pya', '--', ...moodyServer('pay')],
      'unknown tool "pya"; expected one of pay, mood; did you mean pay?',
    ],
    [['pay', 'cents', '--', ...moodyServer('pay')], 'expected key=value or key:=json, got "cents"'],
  ])('ends with 2 on %j', async (args, message) => {
    expect(await call(...args)).toEqual({
      code: EXIT.misuse,
      out: '',
      err: `holdfast: ${message}\n`,
    });
  });
});
