import type { AdminOperation } from './admin-operation.ts';
import { count, fields, said, text } from './schema-words.ts';

/** Forgets what was learned of where models begin to answer, so that it is learned again. */
export function reasoningOperation(reset: (model?: string) => number): AdminOperation {
  return {
    method: 'POST',
    path: '/api/v1/reasoning/reset',
    id: 'reset_reasoning',
    summary: 'Forgets which models were learned to begin their answers in reasoning.',
    takes: fields({ model: said(text, 'Only of this model; of all without it.') }, ['model']),
    gives: fields({ forgotten: count }),
    example: { model: 'qwq-32b' },
    run: ({ body: { model } }) => ({
      forgotten: reset(typeof model === 'string' ? model : undefined),
    }),
  };
}
