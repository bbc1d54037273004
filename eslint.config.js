import comments from '@eslint-community/eslint-plugin-eslint-comments/configs';
import js from '@eslint/js';
import redos from 'eslint-plugin-redos';
import regexp from 'eslint-plugin-regexp';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';
import { core, everywhere, onlyCliReadsTheEnvironment } from './eslint.project-rules.js';
import { seedVerdicts, verdictFile } from './scripts/regex-verdicts.mjs';

seedVerdicts();

export default defineConfig(
  globalIgnores(['**/dist/', '**/coverage/', '.cache/', 'corpus/', 'bench/results/']),
  {
    linterOptions: {
      reportUnusedDisableDirectives: 'error',
      reportUnusedInlineConfigs: 'error',
    },
  },

  js.configs.recommended,
  regexp.configs.recommended,
  comments.recommended,
  {
    plugins: { redos },
    rules: {
      '@eslint-community/eslint-comments/require-description': 'error',
      '@eslint-community/eslint-comments/disable-enable-pair': ['error', { allowWholeFile: true }],
      // Model output decides what our regexes run over, so a slow one is a way to stop us.
      'redos/no-vulnerable': [
        'error',
        {
          ignoreErrors: false,
          cache: { strategy: 'aggressive', location: verdictFile },
        },
      ],
      // Parsers have to name control characters.
      'no-control-regex': 'off',
      // `[eE]` says which letter may be either; the `i` flag says it of the whole regex.
      'regexp/use-ignore-case': 'off',
      'no-console': 'error',
      'no-eval': 'error',
      'no-new-func': 'error',
      eqeqeq: 'error',
      'object-shorthand': 'error',
      'prefer-const': 'error',
    },
  },
  ...everywhere,

  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      // A state machine may say `default` for the states with nothing to do; without it, all are named.
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-import-type-side-effects': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/no-unused-vars': [
        'error',
        // A leading underscore says that a position is needed and the value is not.
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', destructuredArrayIgnorePattern: '^_' },
      ],
      // Offsets and counts belong in messages; they have one obvious text.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // `() => list.push(x)` as a callback hides nothing.
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // A scanner loop ends by `return`.
      '@typescript-eslint/no-unnecessary-condition': [
        'error',
        { allowConstantLoopConditions: 'only-allowed-literals' },
      ],
      // An implementation of an async interface may have nothing to wait for.
      '@typescript-eslint/require-await': 'off',
    },
  },
  {
    files: ['**/*.test.ts', '**/*.case.ts', 'test/**/*.ts'],
    rules: {
      // In a test a wrong `!` fails the test, which is what it is for.
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },

  {
    // A gateway serves peers of the older revision too: what the SDK deprecates with it is what they speak. The
    // low-level server is what the SDK itself recommends to gateways.
    files: ['packages/gateway/src/mcp/**/*.ts', 'test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-deprecated': [
        'error',
        {
          allow: [
            {
              from: 'package',
              package: '@modelcontextprotocol/server',
              name: ['Server', 'getClientCapabilities', 'getClientVersion', 'elicitInput', 'log'],
            },
            {
              from: 'package',
              package: '@modelcontextprotocol/client',
              name: ['SSEClientTransport'],
            },
          ],
        },
      ],
    },
  },

  ...core,
  ...onlyCliReadsTheEnvironment,

  {
    // Plain scripts, run by Node as they are.
    files: ['**/*.js', '**/*.mjs'],
    languageOptions: {
      globals: {
        console: 'readonly',
        process: 'readonly',
        URL: 'readonly',
        Buffer: 'readonly',
        performance: 'readonly',
        setImmediate: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        fetch: 'readonly',
        AbortController: 'readonly',
        AbortSignal: 'readonly',
        TextEncoder: 'readonly',
        TextDecoder: 'readonly',
        structuredClone: 'readonly',
        globalThis: 'readonly',
      },
    },
  },
  { files: ['packages/gateway/bin/*.js'], languageOptions: { sourceType: 'commonjs' } },
  {
    // The benchmarks have their own install, which the root's types do not see.
    files: ['bench/**/*.ts'],
    extends: [tseslint.configs.disableTypeChecked],
  },
  {
    // These talk to a person.
    files: [
      'packages/gateway/src/cli/**',
      'scripts/**',
      'examples/**',
      'bench/**',
      'fuzz/**',
      'mutation/**',
      'soak/**',
    ],
    rules: { 'no-console': 'off' },
  },
);
