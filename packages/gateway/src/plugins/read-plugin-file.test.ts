import { describe, expect, test } from 'vitest';
import { formatConfigProblem } from '../config/config-problem.ts';
import type { PluginFile } from './read-plugin-file.ts';
import { readPluginFile } from './read-plugin-file.ts';

type Variables = Readonly<Record<string, string>>;

function read(text: string, env: Variables = {}): PluginFile {
  const result = readPluginFile(text, { file: '/etc/plugins.yaml', env });
  if (!result.ok) throw new Error(result.problems.map(formatConfigProblem).join('\n'));
  return result.read;
}

function problems(text: string, env: Variables = {}): string[] {
  const result = readPluginFile(text, { file: 'plugins.yaml', env });
  return result.ok ? [] : result.problems.map(formatConfigProblem);
}

/** As the page of the plugin has it, byte for byte. */
const SEED = `- name: "CircuitBreaker"
  kind: "plugins.circuit_breaker.circuit_breaker.CircuitBreakerPlugin"
  hooks: ["tool_pre_invoke", "tool_post_invoke"]
  mode: "enforce_ignore_error"
  priority: 70
  config:
    error_rate_threshold: 0.5      # Fraction of failures to trip breaker (0-1)
    window_seconds: 60             # Time window for error rate calculation
    min_calls: 10                  # Minimum calls before evaluating error rate
    consecutive_failure_threshold: 5  # Consecutive failures to trip breaker
    cooldown_seconds: 60           # Duration circuit stays open
    tool_overrides: {}             # Per-tool config overrides
`;

describe('a plugin file', () => {
  test('may be just a list of plugins', () => {
    const file = read(SEED);
    expect(file.entries).toEqual([
      {
        name: 'CircuitBreaker',
        kind: 'plugins.circuit_breaker.circuit_breaker.CircuitBreakerPlugin',
        hooks: ['tool_pre_invoke', 'tool_post_invoke'],
        phase: 'sequential',
        onError: 'ignore',
        priority: 70,
        conditions: [],
        config: {
          error_rate_threshold: 0.5,
          window_seconds: 60,
          min_calls: 10,
          consecutive_failure_threshold: 5,
          cooldown_seconds: 60,
          tool_overrides: {},
        },
        path: [0],
      },
    ]);
    expect([file.timeoutMs, file.notes, file.dirs]).toEqual([30_000, [], []]);
  });

  test('has all the keys of its model, and says which do nothing', () => {
    const file = read(`
plugin_dirs: [native, /opt/plugins]
plugin_settings:
  parallel_execution_within_band: true
  plugin_timeout: 2.5
  fail_on_plugin_error: false
  enable_plugin_api: true
  plugin_health_check_interval: 120
  include_user_info: false
plugins:
  - name: all
    kind: schema-guard
    description: checks
    author: somebody
    version: 1.0
    hooks: [prompt_pre_fetch, tool_pre_invoke]
    tags: [a, b]
    mode: sequential
    priority: 5
    on_error: disable
    conditions:
      - { tools: [a], server_ids: [], prompts: [p], content_types: [text/plain] }
    config: {}
`);
    expect(file.timeoutMs).toBe(2500);
    expect(file.dirs).toEqual(['/etc/native', '/opt/plugins']);
    expect(file.entries[0]).toMatchObject({ onError: 'disable', hooks: ['tool_pre_invoke'] });
    expect(file.notes).toEqual([
      'plugin_settings.parallel_execution_within_band does nothing here',
      'plugin_settings.enable_plugin_api does nothing here',
      'plugin_settings.plugin_health_check_interval does nothing here',
      'plugin_settings.include_user_info does nothing here',
      'plugin all: prompt_pre_fetch does nothing here, only hooks around tools do',
      'plugin all: prompts, content_types in conditions say nothing about tools',
    ]);
  });

  test('leaves out what is disabled, whatever its kind', () => {
    expect(
      read('- { name: a, kind: cpex_pii_filter.PIIFilterPlugin, mode: disabled }').entries,
    ).toEqual([]);
  });

  test('is empty where it says nothing', () => {
    expect(read('').entries).toEqual([]);
  });

  test.each([
    ['enforce', 'sequential', 'fail'],
    ['enforce_ignore_error', 'sequential', 'ignore'],
    ['permissive', 'transform', 'ignore'],
    ['sequential', 'sequential', 'fail'],
    ['transform', 'transform', 'fail'],
    ['audit', 'audit', 'ignore'],
    ['concurrent', 'concurrent', 'fail'],
    ['fire_and_forget', 'fire_and_forget', 'ignore'],
  ])('reads mode %s as phase %s, where errors %s', (mode, phase, onError) => {
    expect(read(`- { name: a, kind: schema-guard, mode: ${mode} }`).entries[0]).toMatchObject({
      phase,
      onError,
    });
  });

  test('lets fail_on_plugin_error end calls for plugins that only log', () => {
    const text = `
plugin_settings: { fail_on_plugin_error: true }
plugins: [{ name: a, kind: schema-guard, mode: permissive }]`;
    expect(read(text).entries[0]?.onError).toBe('fail');
  });

  test('puts plugins into the order in which they run', () => {
    const text = `
- { name: late, kind: schema-guard, mode: fire_and_forget, priority: 1 }
- { name: b, kind: schema-guard, priority: 20 }
- { name: c, kind: schema-guard, priority: 20 }
- { name: a, kind: schema-guard, priority: 10 }
- { name: t, kind: schema-guard, mode: permissive, priority: 1 }
- { name: all, kind: schema-guard, mode: concurrent, priority: 1 }
- { name: look, kind: schema-guard, mode: audit, priority: 1 }`;
    const names = read(text).entries.map(({ name }) => name);
    expect(names).toEqual(['a', 'b', 'c', 't', 'look', 'all', 'late']);
  });
});

describe('a plugin file that is wrong', () => {
  test.each([
    ['- { kind: a }', 'plugins.yaml:1:3: [0].name: expected text, got nothing'],
    [
      'plugins:\n  - name: a\n    kind: b\n    moed: enforce\n',
      'plugins.yaml:4:5: plugins[0].moed: unknown key; did you mean mode?',
    ],
    ['- { name: a, kind: b, mode: enforced }', 'got "enforced"; did you mean enforce?'],
    ['- { name: a, kind: b, hooks: [tool_pre_invok] }', 'did you mean tool_pre_invoke?'],
    [
      '- { name: a, kind: b }\n- { name: a, kind: c }',
      'plugins.yaml:2:11: [1].name: expected a name of its own, got "a", which [0] has',
    ],
    ['plugin_settings: { plugin_timeout: 0 }', 'expected seconds above 0, up to 86400, got 0'],
    ['plugins: 3', 'expected a list of plugins, each with a name and a kind, got 3'],
    ['just text', 'got "just text"'],
    ['plugins: [', 'plugins.yaml:1:'],
    [
      '- { name: a, kind: b, conditions: [{ user_patterns: ["(a)\\\\1"] }] }',
      '[0].conditions[0].user_patterns[0]: expected a regular expression without backreferences',
    ],
  ])('is told of with its place: %s', (text, message) => {
    expect(problems(text).join('\n')).toContain(message);
  });
});

describe('templates in a plugin file', () => {
  const kindOf = (written: string, env: Variables = {}): string | undefined =>
    read(`- name: a\n  kind: ${written}\n`, env).entries[0]?.kind;

  test.each([
    ["'{{ env.KIND }}'", 'schema-guard'],
    ['{{ env.KIND }}', 'schema-guard'],
    ["{{env.KIND|default('other')}}", 'schema-guard'],
    ["{{ env.NONE | default('other') }}", 'other'],
    ['\'{{ env.NONE | default(env.KIND | default("x")) }}\'', 'schema-guard'],
    ['\'{{ env.NONE | default(env.LESS | default("x")) }}\'', 'x'],
    ["'./{{ env.KIND }}/{{ env.NONE | default(5) }}.mjs'", './schema-guard/5.mjs'],
  ])('are filled in: %s', (written, kind) => {
    expect(kindOf(written, { KIND: 'schema-guard' })).toBe(kind);
  });

  test('become values and no more than that', () => {
    const nasty = 'x"\n  mode: disabled\n- {name: b';
    expect(kindOf('"{{ env.KIND }}"', { KIND: nasty })).toBe(nasty);
    expect(kindOf('{{ env.KIND }}', { KIND: '{{ env.HOME }}', HOME: 'secret' })).toBe(
      '{{ env.HOME }}',
    );
  });

  test('count as numbers where numbers are expected', () => {
    const text = 'plugin_settings: { plugin_timeout: "{{ env.TIME | default(4) }}" }';
    expect(read(text).timeoutMs).toBe(4000);
    expect(read(text, { TIME: '7' }).timeoutMs).toBe(7000);
  });

  test('do not matter in comments', () => {
    expect(read('# {{ anything }} goes\n').entries).toEqual([]);
  });

  test.each([
    ['{{ env.NONE }}', '1:20: [0].kind: NONE is not set; set it, or write {{ env.NONE | default('],
    [
      '{{ 1 + 1 }}',
      'expected {{ env.NAME }} or {{ env.NAME | default(\'text\') }}, got "{{ 1 + 1 }}"',
    ],
    ['{{ env.A | upper }}', 'got "{{ env.A | upper }}"'],
  ])('are told of where they cannot be filled in: %s', (written, message) => {
    expect(problems(`- { name: a, kind: ${written} }`).join()).toContain(message);
  });
});

test('a file with very many mistakes is told, and throws nothing', () => {
  const read = readPluginFile(`plugins:\n${'- {}\n'.repeat(65_000)}`, { file: 'f.yaml', env: {} });
  expect(read.ok ? 0 : read.problems.length).toBe(130_000);
}, 30_000);
