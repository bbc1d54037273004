import { createHash } from 'node:crypto';
import { format } from 'prettier';
import { listFiles, readText } from './repository.ts';

const folder = 'packages/core/src/guard/lua';

/** Where the scripts are embedded: `embeddedLua` is its text. */
export const embeddedLuaFile = 'packages/core/src/guard/store/redis/scripts.ts';

export interface LuaFile {
  readonly name: string;
  readonly text: string;
  /** The files it includes, by name, in order. */
  readonly includes: readonly string[];
  /** Lines that are read by Redis: no comments. */
  readonly code: string;
}

export function luaFiles(): LuaFile[] {
  return listFiles(folder, (path) => path.endsWith('.lua')).map((path) => {
    const text = readText(path);
    const lines = text.split('\n');
    return {
      name: path.slice(folder.length + 1, -'.lua'.length),
      text,
      includes: lines.flatMap((line) => /^--- @include (\w+)$/.exec(line)?.[1] ?? []),
      code: lines.filter((line) => !/^\s*(?:--|$)/.test(line)).join('\n') + '\n',
    };
  });
}

/** The text of `scripts.ts`: every file once, and every script put together with what it includes. */
export async function embeddedLua(): Promise<string> {
  const files = new Map(luaFiles().map((file) => [file.name, file]));
  const included = new Set([...files.values()].flatMap(({ includes }) => includes));
  const parts = [...files.values()].map(
    ({ name, code }) => `const ${constantOf(name)} = \`${escaped(code)}\`;`,
  );
  const scripts = [...files.values()]
    .filter(({ name }) => !included.has(name))
    .map(({ name }) => {
      const names = [...withIncludes(name, files)];
      const lua = names.map((part) => files.get(part)!.code).join('');
      const sha1 = createHash('sha1').update(lua).digest('hex');
      return `${name}: { sha1: '${sha1}', lua: ${names.map(constantOf).join(' + ')} },`;
    });
  const text = [
    '// Written by `npm run lua:embed` from the files in guard/lua/, which are what to read and to change.',
    'export interface LuaScript { readonly sha1: string; readonly lua: string }',
    ...parts,
    `export type ScriptName = ${scripts.map((script) => `'${script.slice(0, script.indexOf(':'))}'`).join(' | ')};`,
    `export const SCRIPTS: Readonly<Record<ScriptName, LuaScript>> = { ${scripts.join('\n')} };`,
  ];
  return format(text.join('\n\n'), { parser: 'typescript', printWidth: 100, singleQuote: true });
}

/** What has to be read before a file, then the file; each once. */
function withIncludes(name: string, files: ReadonlyMap<string, LuaFile>): Set<string> {
  const file = files.get(name);
  if (file === undefined) throw new Error(`${folder}/${name}.lua is included, but is not there`);
  const before = file.includes.flatMap((included) => [...withIncludes(included, files)]);
  return new Set([...before, name]);
}

const constantOf = (name: string): string => name.toUpperCase().replaceAll('-', '_');

const escaped = (text: string): string => text.replaceAll(/[\\`]|\$\{/g, '\\$&');
