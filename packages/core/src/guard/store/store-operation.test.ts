import { describe, expect, it } from 'vitest';
import { StoreOperation } from './store-operation.ts';

/** An operation, and all that is said of it. */
function setUp(answered: (answer: string, sentAt: number) => void = () => undefined): {
  operation: StoreOperation<string>;
  said: string[];
} {
  const said: string[] = [];
  const operation = new StoreOperation<string>(
    7,
    {
      answered: (answer, sentAt) => {
        said.push(`answered ${answer} ${sentAt}`);
        answered(answer, sentAt);
      },
      failed: () => said.push('failed'),
      timedOut: () => said.push('timed out'),
    },
    {
      succeeded: () => said.push('succeeded'),
      lost: (reason, cause) => said.push(`lost by ${reason}: ${String(cause)}`),
      ended: () => said.push('ended'),
    },
    () => said.push('done'),
  );
  return { operation, said };
}

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn++) await Promise.resolve();
};

describe('an operation of a store', () => {
  it('that is answered counts for the store', async () => {
    const { operation, said } = setUp();
    operation.send(() => Promise.resolve('yes'));
    await turns();

    expect(said).toEqual(['answered yes 7', 'succeeded', 'done']);
  });

  it('that throws is refused at once', () => {
    const { operation, said } = setUp();
    operation.send(() => {
      throw new Error('no client');
    });

    expect(said).toEqual(['lost by error: Error: no client', 'failed', 'done']);
  });

  it('whose answer cannot be read is refused', async () => {
    const { operation, said } = setUp(() => {
      throw new Error('unreadable');
    });
    operation.send(() => Promise.resolve('?'));
    await turns();

    expect(said).toEqual(['answered ? 7', 'lost by error: Error: unreadable', 'failed', 'done']);
  });

  it('that is answered late is lost once, and over then', async () => {
    const { operation, said } = setUp();
    operation.expire();
    operation.send(() => Promise.resolve('yes'));
    await turns();

    expect(said).toEqual([
      'lost by timeout: undefined',
      'timed out',
      'done',
      'answered yes 7',
      'ended',
    ]);
  });

  it('that is refused late is lost once, and over then', async () => {
    const { operation, said } = setUp();
    operation.expire();
    operation.send(() => Promise.reject(new Error('too late')));
    await turns();

    expect(said).toEqual(['lost by timeout: undefined', 'timed out', 'done', 'ended', 'failed']);
  });
});
