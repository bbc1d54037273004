import { BUILT_IN_NAMES } from '../packages/gateway/src/plugins/built-in-kinds.ts';
import { addChangelogLine, addPluginKind, addPluginSection } from './generate/insert-lines.ts';
import { readNewName, Refusal } from './generate/new-name.ts';
import { pluginFiles, pluginSection } from './generate/plugin-files.ts';
import { runGenerator, writeMade } from './generate/run-generator.ts';

// npm run new:plugin -- <name>

const FOLDER = 'packages/gateway/src/plugins/built-in';

await runGenerator(async () => {
  const [given, ...rest] = process.argv.slice(2);
  if (rest.length > 0) throw new Refusal(`expected a name only, got ${rest.join(' ')} too`);
  const name = readNewName(given, { what: 'plugin', taken: BUILT_IN_NAMES });
  const line = `Plugin [${name}](docs/plugins.md#${name.replaceAll('.', '')}).`;
  const paths = await writeMade({
    files: pluginFiles(name),
    edits: new Map([
      ['packages/gateway/src/plugins/built-in-kinds.ts', (text) => addPluginKind(text, name)],
      ['docs/plugins.md', (text) => addPluginSection(text, pluginSection(name))],
      ['CHANGELOG.md', (text) => addChangelogLine(text, line)],
    ]),
  });
  return `${paths.join('\n')}

${name} labels results, and passes its tests. Next:
  1. change ${FOLDER}/${name}.ts to what it is for; plugin.ts beside that folder has all hooks
  2. say so in docs/plugins.md; its table is held against the schema by a test
  3. npm run check`;
});
