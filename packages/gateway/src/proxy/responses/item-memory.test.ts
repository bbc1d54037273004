import { expect, test } from 'vitest';
import { ItemMemory } from './item-memory.ts';

const said = (id: string, text = id): { id: string; type: string; content: string } => ({
  id,
  type: 'message',
  content: text,
});
const reference = (id: string): { type: string; id: string } => ({ type: 'item_reference', id });

test('an item that was told is found by its id, whether its type is named or not', () => {
  const memory = new ItemMemory();
  memory.remember([said('msg_1'), said('msg_2')]);
  const user = { role: 'user', content: 'Hi' };
  expect(memory.resolve([user, reference('msg_2'), { id: 'msg_1' }])).toEqual([
    user,
    said('msg_2'),
    said('msg_1'),
  ]);
});

test('one that is not known stays what it is', () => {
  expect(new ItemMemory().resolve([reference('msg_9')])).toEqual([reference('msg_9')]);
});

test('what was used longest ago is forgotten first', () => {
  const size = JSON.stringify(said('msg_1')).length;
  const memory = new ItemMemory(2 * size);
  memory.remember([said('msg_1'), said('msg_2')]);
  memory.resolve([reference('msg_1')]);
  memory.remember([said('msg_3')]);
  const found = memory.resolve(['msg_1', 'msg_2', 'msg_3'].map(reference));
  expect(found).toEqual([said('msg_1'), reference('msg_2'), said('msg_3')]);
});

test('an item that is told again counts once', () => {
  const memory = new ItemMemory(100);
  for (let time = 0; time < 10; time++) memory.remember([said('msg_1')]);
  expect(memory.resolve([reference('msg_1')])).toEqual([said('msg_1')]);
});
