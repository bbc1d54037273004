import { describe, expect, it } from 'vitest';
import { memoryIo } from './memory-io.case.ts';
import { run } from './run.ts';

async function classify(
  stdin: string,
  ...args: string[]
): Promise<{ code: number; out: string; err: string }> {
  const io = memoryIo({ stdin });
  const code = await run(['classify', ...args], io);
  return { code, out: io.out(), err: io.err() };
}

const MISSING = 'cat: notes.txt: No such file or directory\n';

describe('holdfast classify', () => {
  it('tells a failure in words, and ends with 4', async () => {
    expect(await classify(MISSING, '--exit-code', '1')).toEqual({
      code: 4,
      out: [
        'failure: not_found',
        'evidence    cat: notes.txt: No such file or directory',
        'confidence  0.95',
        'retryable   no',
        '',
      ].join('\n'),
      err: '',
    });
  });

  it('names the parent of a finer type', async () => {
    const { out } = await classify('{"error":"invalid_api_key"}', '--tool', 'http_request');
    expect(out).toMatch(/^failure: auth \(permission\)\n/);
  });

  it('ends with 0 on success, on what does not count and on what nobody can tell', async () => {
    expect(await classify('done', '--exit-code', '0')).toMatchObject({ code: 0 });
    expect((await classify('', '--exit-code', '130')).out).toMatch(/^neutral: cancelled\n/);
    expect(await classify('', '--exit-code', '130')).toMatchObject({ code: 0 });
    expect(await classify('hello')).toEqual({ code: 0, out: 'unknown\n', err: '' });
  });

  it('prints JSON with every key', async () => {
    expect(JSON.parse((await classify('hello', '--json')).out)).toEqual({
      status: 'unknown',
      type: null,
      parent: null,
      confidence: 0,
      evidence: '',
      retryable: false,
    });
    expect(JSON.parse((await classify('', '--json', '--exit-code', '124')).out)).toMatchObject({
      status: 'failure',
      type: 'timeout',
      retryable: true,
    });
  });

  it('takes what the host knows', async () => {
    const out = async (...args: string[]): Promise<string> => (await classify('hm', ...args)).out;
    expect(await out('--is-error')).toMatch(/^failure/);
    expect(await out('--is-error=false')).toMatch(/^success/);
    expect(await out('--tool', 'http_request', '--status', '429')).toMatch(/^failure: rate_limit/);
    expect(await out('--command', 'grep hm x', '--exit-code', '1')).toMatch(/^success/);
  });

  it('believes --kind more than the name', async () => {
    const body = '{"error":"no rows"}';
    expect((await classify(body, '--tool', 'lake', '--is-error=false')).code).toBe(4);
    expect(
      (await classify(body, '--tool', 'lake', '--is-error=false', '--kind', 'reader')).code,
    ).toBe(0);
  });

  it('shows nothing that a terminal would obey', async () => {
    const { out } = await classify('error: \x1b]0;title\x07 \u202eno', '--exit-code', '1');
    expect(out).not.toMatch(/[\x07\x1b\u202e]/);
  });

  it.each([
    [['--exit-code', 'one'], '--exit-code: expected a whole number, got "one"'],
    [['--kind', 'shel'], '--kind: expected reader, shell, api or edit, got "shel"'],
    [['a.txt', 'b.txt'], 'expected one file, got 2: a.txt b.txt'],
    [['--exitcode', '1'], 'unknown option --exitcode'],
  ])('ends with 2 on %j', async (args, message) => {
    const { code, err } = await classify('', ...args);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });
});
