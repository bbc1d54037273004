import { toIdentifier } from './new-name.ts';

// Edits of files that people write too: where a file does not look as expected, nothing is guessed.

function insertBefore(text: string, at: number, inserted: string): string {
  return text.slice(0, at) + inserted + text.slice(at);
}

function placeOf(text: string, mark: string, file: string): number {
  const at = text.indexOf(mark);
  if (at < 0) throw new Error(`${file} has no ${JSON.stringify(mark)} any more`);
  return at;
}

/** Adds a dialect to the list of its family: its import among the others, its entry by priority. */
export function addDialect(text: string, name: string, priority: number): string {
  const line = `import { ${toIdentifier(name)} } from './${name}.ts';\n`;
  const imports = [...text.matchAll(/ from '\.\/([\w.-]+)\.ts';\n/g)].map((match) => ({
    file: match[1] ?? '',
    from: text.lastIndexOf('\n', match.index) + 1,
    to: match.index + match[0].length,
  }));
  const next = imports.find(({ file }) => file > name);
  const importAt = next?.from ?? imports.at(-1)?.to;
  if (importAt === undefined) throw new Error('the list of dialects imports none any more');
  const imported = insertBefore(text, importAt, line);
  const entries = [...imported.matchAll(/^ {2}\{ parser: \w+, priority: (\d+) \},\n/gm)];
  const lower = entries.find(([, known]) => Number(known) < priority);
  const entryAt = lower?.index ?? placeOf(imported, '];', 'the list of dialects');
  const entry = `  { parser: ${toIdentifier(name)}, priority: ${priority} },\n`;
  return insertBefore(imported, entryAt, entry);
}

/** Says in docs/comparison.md how many dialects there are. */
export function countDialects(text: string, count: number): string {
  const mark = /^\| dialects \| \d+, and your own \|/m;
  if (!mark.test(text)) throw new Error('docs/comparison.md does not count our dialects any more');
  return text.replace(mark, `| dialects | ${count}, and your own |`);
}

/** Adds a plugin to those that come with the gateway. */
export function addPluginKind(text: string, name: string): string {
  const key = /^[a-z]\w*$/.test(name) ? name : `'${name}'`;
  const load = `    load: async () => (await import('./built-in/${name}.ts')).${toIdentifier(name)},\n`;
  const start = placeOf(text, 'const KINDS', 'built-in-kinds.ts');
  const end = start + placeOf(text.slice(start), '\n};', 'built-in-kinds.ts') + 1;
  return insertBefore(text, end, `  ${key}: {\n${load}  },\n`);
}

/** Adds a section to docs/plugins.md, behind those of the other plugins. */
export function addPluginSection(text: string, section: string): string {
  const at = placeOf(text, '## A plugin of your own\n', 'docs/plugins.md');
  return insertBefore(text, at, section);
}

/** Adds a line to what was added since the last release. */
export function addChangelogLine(text: string, line: string): string {
  const mark = '### Added\n';
  const from = placeOf(text, mark, 'CHANGELOG.md') + mark.length;
  const heading = text.slice(from).search(/^#/m);
  const end = heading < 0 ? text.length : from + heading;
  const list = text.slice(0, end).trimEnd();
  return `${list}\n- ${line}\n${heading < 0 ? '' : '\n'}${text.slice(end)}`;
}
