const guard = 'packages/core/src/guard';
const internal = 'packages/core/src/internal';
const parse = 'packages/core/src/parse';

/**
 * What is mutated, and the tests that are asked: files, and after `#` what is in the names of those that are meant.
 * All of them run in one process: none starts another, and none waits for real time.
 */
export const parts = [
  {
    name: 'guard',
    mutate: [
      `${internal}/{circuit-machine,call-window}.ts`,
      `${guard}/**/*.ts`,
      // Written by a program from `guard/lua/`.
      `!${guard}/store/redis/scripts.ts`,
      // What they do only Redis and its clients can say; `test/redis-*.test.ts` asks them.
      `!${guard}/store/redis/{io-redis-connection,node-redis-connection,hush-errors,script-arguments}.ts`,
    ],
    tests: [`${internal}/{circuit-machine,call-window}*.test.ts`, `${guard}/**/*.test.ts`],
  },
  {
    name: 'json',
    mutate: [`${parse}/json/*.ts`],
    tests: [
      `${parse}/json/*.test.ts`,
      'test/corpus.test.ts#means what it says',
      'test/corpus.test.ts#json/',
    ],
  },
];

/** No code of ours that runs: tests, what they share, and lists of names. */
export const never = ['!**/*.test.ts', '!**/*.case.ts', '!**/index.ts'];
