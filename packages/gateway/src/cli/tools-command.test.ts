import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { EXIT } from './exit-codes.ts';
import { memoryIo } from './memory-io.case.ts';
import { ENV, moodyServer } from './moody-server.case.ts';
import { PATIENCE, startMcp } from './running-mcp.case.ts';
import { run } from './run.ts';

const folder = mkdtempSync(join(tmpdir(), 'holdfast-tools-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function tools(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const io = memoryIo({ env: ENV });
  const code = await run(['tools', ...args], io);
  return { code, out: io.out(), err: io.err() };
}

function serversFile(mcpServers: object): string {
  const file = join(folder, 'mcp.json');
  writeFileSync(file, JSON.stringify({ mcpServers }));
  return file;
}

const [command = '', ...args] = moodyServer('pay');

describe('holdfast tools', () => {
  test('lists the tools of a server that is started for it', async () => {
    expect(await tools('--', ...moodyServer('pay', 'look_up'))).toEqual({
      code: EXIT.ok,
      out:
        'pay      moody  closed  Does pay\n' +
        'look_up  moody  closed  Does look_up\n' +
        'mood     moody  closed  Does mood\n',
      err: '',
    });
  });

  test('lists those of servers that are there, and tells which are not', async () => {
    const file = serversFile({
      bank: { command, args },
      gone: { command: join(folder, 'no-such-program') },
    });
    const { code, out, err } = await tools('--config', file, '--json');

    expect(code).toBe(EXIT.noServer);
    expect(JSON.parse(out)).toEqual([
      expect.objectContaining({ name: 'bank__pay', server: 'bank', tool: 'pay' }),
      expect.objectContaining({ name: 'bank__mood', circuit: 'closed' }),
    ]);
    expect(err).toBe(
      `holdfast: gone is not there: The server gone cannot be started: \`${folder}/no-such-program\` ` +
        'was not found: is it installed, and on the PATH that the server is given?\n',
    );
  });

  test('shows nothing of a server that a terminal would obey', async () => {
    const { out } = await tools('--', ...moodyServer('\x1b[2Jpay'));
    expect(out).not.toContain('\x1b');
  });

  test.each([
    ['--config', 'no-such.json'],
    ['--prefix', 'sometimes', '--', 'x'],
    ['--url', 'localhost'],
  ])('ends with 2 on %s %s', async (...wrong) => {
    const { code, out, err } = await tools(...wrong);
    expect({ code, out }).toEqual({ code: EXIT.misuse, out: '' });
    expect(err).toMatch(/^holdfast: .+\n$/);
  });
});

describe('holdfast tools --url', () => {
  test('ends with 5 where no gateway answers, and says how to get one', async () => {
    expect(await tools('--url', 'http://127.0.0.1:1')).toMatchObject({
      code: EXIT.noServer,
      out: '',
      err: expect.stringContaining('start one with holdfast start') as string,
    });
  });

  const rowsOf = async (url: string): Promise<readonly (readonly string[])[]> => {
    const { out } = await tools('--url', url);
    return out
      .trimEnd()
      .split('\n')
      .map((row) => row.split(/ {2,}/));
  };

  test('lists the tools of a gateway that nobody has asked yet', async () => {
    const gateway = await startMcp(['pay']);
    await vi.waitFor(async () => {
      expect(await rowsOf(gateway.url)).toEqual([
        ['pay', 'moody', 'closed', 'Does pay'],
        ['mood', 'moody', 'closed', 'Does mood'],
      ]);
    }, PATIENCE);
    expect(await gateway.stop()).toBe(EXIT.ok);
  });

  test.each([
    ['its own circuits', 5, []],
    ['those of a plugin', 2, ['--plugins', join(folder, 'plugins.yaml')]],
  ])('shows which tools are left alone, by %s', async (_, failures, flags) => {
    writeFileSync(
      join(folder, 'plugins.yaml'),
      '- { name: cb, kind: circuit-breaker, config: { consecutive_failure_threshold: 2 } }\n',
    );
    const gateway = await startMcp(['pay', 'look_up'], ...flags);
    await gateway.call('mood', { is: 'failing' });
    for (let made = 0; made < failures; made++) await gateway.call('pay');

    expect((await rowsOf(gateway.url)).map(([name, , circuit]) => [name, circuit])).toEqual([
      ['pay', 'open'],
      ['look_up', 'closed'],
      ['mood', 'closed'],
    ]);
    await gateway.stop();
  });
});
