import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { NotSentError } from '../call/not-sent-error.ts';
import { isGroupAlive, READY, startChild, untilMessages } from './run-child.case.ts';

const STAYS = 'process.stdin.resume();';
const MB = 1024 * 1024;

/** How much the memory of this process grows over its start at most, in bytes, while something runs. */
async function growthDuring(work: () => Promise<void>): Promise<number> {
  const before = process.memoryUsage.rss();
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 5);
  await work();
  clearInterval(timer);
  return Math.max(most, process.memoryUsage.rss()) - before;
}

describe('a child at fault', () => {
  test('may write what is no message, and is heard nevertheless', async () => {
    const child = await startChild(
      `console.log('Server running on stdio'); console.log('{"level":30,"msg":"started"}'); console.log();
       process.stdout.write(Buffer.from([0xff, 0xfe, 0x0a])); ${READY} ${STAYS}`,
    );
    await untilMessages(child, 1);
    await child.transport.close();
    const strays = child.log.entries.filter(({ level }) => level === 'warn');
    expect(strays.map(({ message }) => message)).toEqual([
      'a line that is no message: not JSON',
      'a line that is no message: no message of JSON-RPC 2.0',
      'a line that is no message: not JSON',
    ]);
    expect(strays[0]?.fields).toEqual({ line: 'Server running on stdio' });
    expect(child.errors).toEqual([]);
  });

  test('that floods its output with what is no message fills no log', async () => {
    const child = await startChild(
      `for (let i = 0; i < 2000; i++) console.log('noise'); ${READY} ${STAYS}`,
    );
    await untilMessages(child, 1);
    await child.transport.close();
    expect(child.log.entries.length).toBeLessThan(200);
    const said = child.log.entries.map(({ message }) => message);
    expect(said).toContain('more lines that are no messages');
  });

  test('that ends within a line loses that line only', async () => {
    const child = await startChild(
      `${READY} process.stdout.write('{"jsonrpc":"2.0","id":1,"res');`,
    );
    await child.whenClosed;
    expect(child.messages).toHaveLength(1);
    expect(child.log.entries).toContainEqual({
      level: 'warn',
      fields: { bytes: 28 },
      message: 'the output ended within a line',
    });
    expect(child.transport.ending).toBe('The server fixture ended with code 0');
  });

  test('that writes 100 MB without a line feed is ended, and costs little memory', async () => {
    const grown = await growthDuring(async () => {
      const child = await startChild(
        `const block = Buffer.alloc(${MB}, 'x'); let left = 100;
         const write = () => { if (left-- > 0) process.stdout.write(block, write); }; write(); ${STAYS}`,
      );
      await child.whenClosed;
      expect(child.transport.ending).toContain('wrote a line longer than 10485760 bytes');
      await child.transport.close();
      expect(isGroupAlive(child)).toBe(false);
    });
    // Three times the limit.
    expect(grown).toBeLessThan(32 * MB);
  });

  test('that floods its standard error with 50 MB is heard, and costs little memory', async () => {
    const grown = await growthDuring(async () => {
      const child = await startChild(
        `const block = Buffer.from('an error line of some length, as they are\\n'.repeat(25000)); let left = 50;
         const write = () => {
           if (left-- > 0) process.stderr.write(block, write);
           else { console.error('the last one'); ${READY} }
         }; write(); ${STAYS}`,
      );
      await untilMessages(child, 1);
      await child.transport.close();
      expect(child.transport.stderr.length).toBeLessThanOrEqual(64 * 1024);
      expect(child.transport.stderr).toContain('the last one');
      expect(child.log.entries.length).toBeLessThan(1000);
      const dropped = child.log.entries
        .filter(({ message }) => message === 'more lines on standard error')
        .reduce((sum, { fields }) => sum + Number(fields['lines']), 0);
      const shown = child.log.entries.filter(({ level }) => level === 'info').length;
      expect(dropped + shown).toBe(50 * 25_000 + 1);
    });
    expect(grown).toBeLessThan(32 * MB);
  }, 20_000);

  test('that does not read is sent only so much, and none of the rest', async () => {
    const child = await startChild(`${READY} setInterval(() => {}, 1000);`, {
      maxQueued: 2 * MB,
    });
    await untilMessages(child, 1);
    const message: JSONRPCMessage = {
      jsonrpc: '2.0',
      method: 'm',
      params: { text: 'x'.repeat(MB / 2) },
    };
    const outcomes: unknown[] = [];
    const send = (): void =>
      void child.transport.send(message).then(
        () => outcomes.push('sent'),
        (error: unknown) => outcomes.push(error),
      );
    send();
    await new Promise((resolve) => setTimeout(resolve, 20));
    for (let i = 0; i < 8; i++) send();
    await Promise.resolve();
    expect(outcomes.length).toBeGreaterThanOrEqual(5);
    expect(outcomes[0]).toBeInstanceOf(NotSentError);
    expect(String(outcomes[0])).toContain('Nobody reads what is sent');
    await child.transport.close();
    // What was under way may have been read in part: only of that one it is not known.
    expect(outcomes).toHaveLength(9);
    expect(outcomes.filter((outcome) => !(outcome instanceof NotSentError))).toHaveLength(1);
  });
});
