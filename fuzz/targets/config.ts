import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { join } from 'node:path';
import { CannotInstallError } from '../../packages/gateway/src/agents/install/agent-installer.ts';
import { editJson, readJson } from '../../packages/gateway/src/agents/install/edit-json.ts';
import { loadConfig } from '../../packages/gateway/src/config/load-config.ts';
import type { LoadedConfig } from '../../packages/gateway/src/config/load-config.ts';
import { CONFIG_TEMPLATE } from '../../packages/gateway/src/config/config-template.ts';
import { readYaml } from '../../packages/gateway/src/config/read-yaml.ts';
import type { ConfigProblem } from '../../packages/gateway/src/config/config-problem.ts';
import { readJsonc } from '../../packages/gateway/src/mcp/config/read-jsonc.ts';
import { readMcpServers } from '../../packages/gateway/src/mcp/config/read-mcp-servers.ts';
import type { ReadMcpServers } from '../../packages/gateway/src/mcp/config/read-mcp-servers.ts';
import { MCP_DEFAULTS } from '../../packages/gateway/src/mcp/mcp-defaults.ts';
import { readPluginFile } from '../../packages/gateway/src/plugins/read-plugin-file.ts';
import type { ReadPluginFile } from '../../packages/gateway/src/plugins/read-plugin-file.ts';
import { Choices } from '../loop/fuzz-input.ts';
import { BrokenLaw, expectTrue } from '../loop/fuzz-target.ts';
import type { FuzzTarget } from '../loop/fuzz-target.ts';
import { repository } from './corpus-texts.ts';

const ENV = { KEY: 'secret', PORT: '8080', EMPTY: '' };

const YAML_WORDS = [
  ': ',
  '- ',
  '\n',
  '\n  ',
  '{',
  '}',
  '[',
  ']',
  '&a',
  '*a',
  '!!str ',
  '|\n',
  '# ',
  '${KEY}',
  '${PORT:-1}',
  '${',
];
const JSON_WORDS = [
  '"',
  '{',
  '}',
  '[',
  ']',
  ':',
  ',',
  '// c\n',
  '/* c */',
  'true',
  'null',
  '1',
  '${env:KEY}',
  '${input:a}',
  '\uFEFF',
];

/** The blocks of a page of the docs that are written in a language. */
function blocksOf(page: string, language: string): string[] {
  const text = readFileSync(join(repository, 'docs', page), 'utf8');
  const blocks = text.split('\n```').filter((_, index) => index % 2 === 1);
  return blocks
    .filter((block) => block.startsWith(`${language}\n`))
    .map((block) => block.slice(language.length + 1));
}

function seeds(...texts: readonly string[]): { text: string; choice: number }[] {
  return texts.map((text) => ({ text, choice: 0 }));
}

function withoutRemarks(text: string): string {
  return text
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('##'))
    .join('\n');
}

/** `holdfast.yaml`. */
export const configTarget: FuzzTarget = {
  name: 'config',
  maxLength: 900,
  seeds: seeds(
    withoutRemarks(CONFIG_TEMPLATE).slice(0, 900),
    ...blocksOf('configuration.md', 'yaml'),
    ...blocksOf('upstreams.md', 'yaml'),
    '{"upstreams": [{"url": "http://127.0.0.1:1/v1", "apiKey": "${KEY}"}], "listen": "0.0.0.0:${PORT}"}',
  ),
  words: YAML_WORDS,
  sources: ['packages/gateway/src/config/'],
  run: ({ text }) => {
    checkYaml(text);
    const loaded = load(text);
    if (loaded.ok) expectTrue('a configuration is data', isPlain(loaded.config), () => text);
    else checkProblems(loaded.problems, text);
  },
  readOnce: (text) => void load(text),
};

/** Files with `mcpServers`, with comments, and edits of them. */
export const mcpConfigTarget: FuzzTarget = {
  name: 'mcp-config',
  seeds: seeds(
    ...blocksOf('mcp-configuration.md', 'json'),
    ...blocksOf('mcp.md', 'json'),
    '{\n  // c\n  "mcpServers": {\n    "a": { "command": "npx", "args": ["-y", "x"], "env": { "K": "${KEY}" } },\n  },\n}\n',
    '{"servers": {"b": {"type": "http", "url": "http://h/mcp", "headers": {"a": "${input:k}"}}}, "inputs": [{"id": "k"}]}',
  ),
  words: JSON_WORDS,
  sources: ['packages/gateway/src/mcp/config/', 'packages/gateway/src/agents/install/edit-json.ts'],
  run: ({ text, choice }) => {
    checkJsonc(text);
    const read = readServers(text, new Choices(choice).of('linux', 'win32'));
    if (!read.ok) checkProblems(read.problems, text);
    checkEdit(text, new Choices(choice));
  },
  readOnce: (text) => void readServers(text, 'linux'),
};

/** Plugin files. */
export const pluginFileTarget: FuzzTarget = {
  name: 'plugin-file',
  maxLength: 900,
  seeds: seeds(...blocksOf('plugins.md', 'yaml'), ...blocksOf('migrate-contextforge.md', 'yaml')),
  words: [...YAML_WORDS, '{{ env.KEY }}', '{% if x %}', '{{', '}}'],
  sources: ['packages/gateway/src/plugins/'],
  run: ({ text }) => {
    const read = readPlugins(text);
    if (!read.ok) checkProblems(read.problems, text);
  },
  readOnce: (text) => void readPlugins(text),
};

function load(text: string): LoadedConfig {
  return loadConfig(text, { file: '/etc/holdfast.yaml', env: ENV, readFile });
}

function readServers(text: string, platform: NodeJS.Platform): ReadMcpServers {
  const { settings } = MCP_DEFAULTS;
  const file = '/p/.vscode/mcp.json';
  return readMcpServers(text, { file, env: ENV, settings, readFile, platform });
}

function readPlugins(text: string): ReadPluginFile {
  return readPluginFile(text, { file: '/p/plugins.yaml', env: ENV });
}

function readFile(path: string): string {
  if (path.endsWith('.env')) return 'A=1\nB="two"\n';
  throw Object.assign(new Error(`ENOENT: no such file or directory, open '${path}'`), {
    code: 'ENOENT',
  });
}

function checkProblems(problems: readonly ConfigProblem[], text: string): void {
  expectTrue('what is refused has a reason', problems.length > 0, () => text);
  const lines = text.split(/\r\n|\n|\r/).length;
  for (const { line, column, message } of problems) {
    const isPlace = line >= 1 && column >= 1 && line <= lines + 1;
    expectTrue('a problem has a place in the file', isPlace, () => `${line}:${column} ${message}`);
    expectTrue('a problem has a message', message !== '', () => text);
  }
}

/** JSON is YAML: what both take is the same. */
function checkYaml(text: string): void {
  const read = readYaml(text);
  const native = nativeObject(text);
  if (!read.ok || native === undefined) return;
  if (!isDeepStrictEqual(plain(read.value), plain(native)))
    throw new BrokenLaw(
      'JSON is read as JSON.parse reads it',
      `   got: ${JSON.stringify(read.value)}\nwanted: ${JSON.stringify(native)}`,
    );
}

/** Comments and trailing commas apart, JSON with comments is JSON. */
function checkJsonc(text: string): void {
  const read = readJsonc(text);
  const native = nativeObject(text);
  if (native === undefined) return;
  // A key that is there twice is refused, and so is what is nested deeper than people write.
  if (!read.ok) {
    const message = read.problems[0]?.message ?? '';
    const isRefused = /twice|deep/.test(message);
    expectTrue('valid JSON is read', isRefused, () => message);
    return;
  }
  if (!isDeepStrictEqual(plain(read.value), plain(native)))
    throw new BrokenLaw(
      'JSON is read as JSON.parse reads it',
      `   got: ${JSON.stringify(read.value)}\nwanted: ${JSON.stringify(native)}`,
    );
}

/** What is put into a file is there, nothing else is changed, and taking it out leaves what was said before. */
function checkEdit(text: string, choices: Choices): void {
  const path = choices.of(
    ['holdfast'],
    ['hooks', 'After', 0],
    ['mcpServers', 'holdfast'],
    ['a', 'b', 'c'],
  );
  const value = choices.of<unknown>({ command: 'x', args: ['y'] }, 'text', [], null);
  let before: Readonly<Record<string, unknown>>;
  let edited: string;
  try {
    before = readJson(text, 'f.json');
    edited = editJson(text, [{ path, value }], 'f.json');
  } catch (error) {
    if (error instanceof CannotInstallError) return;
    throw error;
  }
  const after = readJson(edited, 'f.json');
  const isThere = isDeepStrictEqual(plain(at(after, path)), plain(value));
  expectTrue('what is put into a file is there', isThere, () => edited);
  if (at(before, path) !== undefined) return;
  const undone = editJson(edited, [{ path, value: undefined, keep: path.length }], 'f.json');
  const others = JSON.stringify(readJson(undone, 'f.json'), (_, inner: unknown) => inner);
  expectTrue('taking it out leaves the rest', isRest(JSON.parse(others), before), () => undone);
}

/** The same, but for containers that were made on the way and are empty now. */
function isRest(after: unknown, before: unknown): boolean {
  return isDeepStrictEqual(plain(withoutEmpty(after)), plain(withoutEmpty(before)));
}

function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(withoutEmpty);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .map(([key, inner]) => [key, withoutEmpty(inner)] as const)
    .filter(([, inner]) => inner !== undefined);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function at(value: unknown, path: readonly (string | number)[]): unknown {
  let found = value;
  for (const key of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Readonly<Record<string | number, unknown>>)[key];
  }
  return found;
}

function nativeObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

function isPlain(value: unknown): boolean {
  return typeof JSON.stringify(value) === 'string';
}
