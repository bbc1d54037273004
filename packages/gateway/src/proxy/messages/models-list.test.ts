import { describe, expect, test } from 'vitest';
import { findModel, modelsList, readModels } from './models-list.ts';

const day = 1_772_000_000;
const written = new Date(day * 1000).toISOString();

describe('models', () => {
  test.each([
    ["OpenAI's", { object: 'list', data: [{ id: 'm', created: day, owned_by: 'x' }] }],
    ["Anthropic's", { data: [{ type: 'model', id: 'm', created_at: written, owned_by: 'x' }] }],
    ["Ollama's", { models: [{ model: 'm', modified_at: written, owned_by: 'x' }] }],
    ['a bare', [{ id: 'm', created: day, owned_by: 'x' }]],
  ])('are read from %s list', (_, answer) => {
    expect(readModels(answer)).toEqual([
      { id: 'm', displayName: 'm', ownedBy: 'x', createdAt: day },
    ]);
  });

  test('may be no more than names, and are listed once', () => {
    expect(readModels({ data: ['a', 'b', { id: 'a' }, {}, null, 5] }).map(({ id }) => id)).toEqual([
      'a',
      'b',
    ]);
  });

  test.each([[undefined], ['<html>'], [{}], [{ data: 'x' }], [null]])(
    'are none in %j',
    (answer) => {
      expect(modelsList(readModels(answer))).toEqual({
        object: 'list',
        data: [],
        has_more: false,
        first_id: null,
        last_id: null,
      });
    },
  );

  test('are listed so that clients of both families find their fields', () => {
    const list = modelsList(
      readModels({
        data: [
          { id: 'a', created: day },
          { id: 'b', created: -1 },
        ],
      }),
    );
    expect(list).toEqual({
      object: 'list',
      data: [
        {
          id: 'a',
          object: 'model',
          created: day,
          owned_by: 'upstream',
          type: 'model',
          display_name: 'a',
          created_at: written.replace('.000Z', 'Z'),
        },
        expect.objectContaining({ id: 'b', created: 0, created_at: '1970-01-01T00:00:00Z' }),
      ],
      has_more: false,
      first_id: 'a',
      last_id: 'b',
    });
  });

  test.each([
    ['qwen/qwen3', 'qwen/qwen3'],
    ['qwen%2Fqwen3', 'qwen/qwen3'],
    ['other', undefined],
    ['%E0%A4%A', undefined],
  ])('are found by the path %s', (path, id) => {
    expect(findModel(readModels(['qwen/qwen3']), path)?.id).toBe(id);
  });

  test('with a time that no date can have are listed all the same', () => {
    expect(modelsList(readModels([{ id: 'a', created: 1e300 }]))).toMatchObject({
      data: [{ created: 0 }],
    });
  });
});
