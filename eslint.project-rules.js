// The rules of this project that no plugin knows. Each message says where the thing belongs.

const timeAndChance = [
  ['Date', 'now', 'Take a Clock (internal/clock.ts): tests must be able to move time.'],
  ['performance', 'now', 'Take a Clock (internal/clock.ts): tests must be able to move time.'],
  ['Math', 'random', 'Take `random` (internal/random.ts): runs must be repeatable.'],
  ['crypto', 'randomUUID', 'Take `nextId` (internal/random.ts): runs must be repeatable.'],
  ['crypto', 'getRandomValues', 'Take `random` (internal/random.ts): runs must be repeatable.'],
].map(([object, property, message]) => ({ object, property, message }));

const jsonParse = [
  {
    object: 'JSON',
    property: 'parse',
    message: 'Model text is read in parse/json/, which has limits; use that.',
  },
];

const timers = ['setTimeout', 'setInterval', 'setImmediate'].map((name) => ({
  name,
  message: 'Take a Clock (internal/clock.ts): tests must be able to move time.',
}));

const noEnum = {
  selector: 'TSEnumDeclaration',
  message: 'Use a union of strings: it reads well in logs and needs no import.',
};

const noBareDate = {
  selector: "NewExpression[callee.name='Date'][arguments.length=0]",
  message: 'Take a Clock (internal/clock.ts): tests must be able to move time.',
};

const tests = ['**/*.test.ts', '**/*.case.ts'];
const restrictProperties = (list) => ({ 'no-restricted-properties': ['error', ...list] });

export const everywhere = [{ rules: { 'no-restricted-syntax': ['error', noEnum] } }];

const coreSource = 'packages/core/src/**/*.ts';
const clockAndRandom = ['clock', 'random'].map((name) => `packages/core/src/internal/${name}.ts`);

export const core = [
  {
    files: [coreSource],
    ignores: tests,
    rules: {
      ...restrictProperties([...timeAndChance, ...jsonParse]),
      'no-restricted-globals': ['error', { globals: timers, checkGlobalObject: true }],
      'no-restricted-syntax': ['error', noEnum, noBareDate],
    },
  },
  {
    files: ['packages/core/src/parse/json/**/*.ts'],
    ignores: tests,
    rules: restrictProperties(timeAndChance),
  },
  {
    files: clockAndRandom,
    rules: {
      ...restrictProperties(jsonParse),
      'no-restricted-globals': 'off',
      'no-restricted-syntax': ['error', noEnum],
    },
  },
];

const environment = 'Only the command line reads the environment; take an option instead.';

// Core has no `process` at all: its own type check refuses the name.
export const onlyCliReadsTheEnvironment = [
  {
    files: ['packages/*/src/**/*.ts'],
    ignores: [...tests, 'packages/core/**', 'packages/gateway/src/cli/**'],
    rules: {
      ...restrictProperties([{ object: 'process', property: 'env', message: environment }]),
      'no-restricted-imports': [
        'error',
        { paths: [{ name: 'node:process', importNames: ['env'], message: environment }] },
      ],
    },
  },
];
