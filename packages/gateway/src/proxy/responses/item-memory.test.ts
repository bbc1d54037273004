import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { BYTES_OF_AN_ENTRY, ItemMemory } from './item-memory.ts';

const said = (id: string, text = id): { id: string; type: string; content: string } => ({
  id,
  type: 'message',
  content: text,
});
/** What an item takes: its text as JSON, and what it takes to find it. */
const sizeOf = (item: { id: string }): number => JSON.stringify(item).length + BYTES_OF_AN_ENTRY;
const reference = (id: string): { type: string; id: string } => ({ type: 'item_reference', id });

test('an item that was told is found by its id, whether its type is named or not', () => {
  const memory = new ItemMemory();
  memory.remember('me', [said('msg_1'), said('msg_2')]);
  const user = { role: 'user', content: 'Hi' };
  expect(memory.resolve(() => 'me', [user, reference('msg_2'), { id: 'msg_1' }])).toEqual([
    user,
    said('msg_2'),
    said('msg_1'),
  ]);
});

test('one that is not known stays what it is', () => {
  expect(new ItemMemory().resolve(() => 'me', [reference('msg_9')])).toEqual([reference('msg_9')]);
});

test('an item is not known to another owner', () => {
  const memory = new ItemMemory();
  memory.remember('me', [said('msg_1')]);
  expect(memory.resolve(() => 'you', [reference('msg_1')])).toEqual([reference('msg_1')]);
});

test('what was used longest ago is forgotten first', () => {
  const memory = new ItemMemory(2 * sizeOf(said('msg_1')));
  memory.remember('me', [said('msg_1'), said('msg_2')]);
  memory.resolve(() => 'me', [reference('msg_1')]);
  memory.remember('me', [said('msg_3')]);
  const found = memory.resolve(() => 'me', ['msg_1', 'msg_2', 'msg_3'].map(reference));
  expect(found).toEqual([said('msg_1'), reference('msg_2'), said('msg_3')]);
});

test('an item that is told again counts once', () => {
  const memory = new ItemMemory(sizeOf(said('msg_1')));
  for (let time = 0; time < 10; time++) memory.remember('me', [said('msg_1')]);
  expect(memory.resolve(() => 'me', [reference('msg_1')])).toEqual([said('msg_1')]);
});

test('many small items take no more memory than it may take', () => {
  const most = 4 * 1024 * 1024;
  const memory = new ItemMemory(most);
  const before = heapInUse();
  for (let turn = 0; turn < 60_000; turn++) {
    // As they are read from an answer: a text is a piece of a longer one, which it would keep.
    const answer = `${'the rest of the answer '.repeat(20)}${turn}`;
    const content = [{ type: 'output_text', text: answer.slice(0, 30), annotations: [] }];
    memory.remember('me', [{ id: `msg_${turn}`, type: 'message', role: 'assistant', content }]);
  }
  expect(heapInUse() - before).toBeLessThan(1.25 * most);
  expect(memory.resolve(() => 'me', [reference('msg_59999')])).not.toEqual([
    reference('msg_59999'),
  ]);
});

function heapInUse(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}
