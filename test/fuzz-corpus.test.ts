import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readInputs } from '../fuzz/loop/corpus-file.ts';
import { loadTargets } from '../fuzz/targets/targets.ts';
import { root } from './support/repository.ts';

const corpus = join(root, 'fuzz', 'corpus');
const targets = await loadTargets([]);

describe('the inputs that the fuzzer kept', () => {
  test('are of targets that there are', () => {
    const names = new Set(targets.map(({ name }) => name));
    expect(readdirSync(corpus).filter((name) => !names.has(name))).toEqual([]);
  });

  test.each(targets.map((target) => [target.name, target] as const))(
    'break no law of %s',
    async (name, target) => {
      const file = join(corpus, name, 'inputs.jsonl');
      expect(existsSync(file), `npm run fuzz -- --target ${name} --keep makes it`).toBe(true);
      const broken: string[] = [];
      for (const input of readInputs(file)) {
        try {
          await target.run(input);
        } catch (error) {
          broken.push(`${JSON.stringify(input)}: ${String(error)}`);
        }
      }
      expect(broken).toEqual([]);
    },
  );
});
