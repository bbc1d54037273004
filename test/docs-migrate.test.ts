import { describe, expect, it } from 'vitest';
import { formatConfigProblem } from '../packages/gateway/src/config/config-problem.ts';
import { loadPlugins } from '../packages/gateway/src/plugins/load-plugins.ts';
import { pluginFileSchema } from '../packages/gateway/src/plugins/plugin-schema.ts';
import { PLUGIN_MODES } from '../packages/gateway/src/plugins/plugin-mode.ts';
import { readPluginFile } from '../packages/gateway/src/plugins/read-plugin-file.ts';
import { memoryLogger } from '../packages/gateway/src/log/memory-logger.case.ts';
import { readPage } from './support/markdown.ts';
import { readText } from './support/repository.ts';

const PAGE = 'docs/migrate-contextforge.md';
const page = readText(PAGE);
const files = readPage(page).fences.filter(({ language }) => language === 'yaml');

describe('the page for those who come from ContextForge', () => {
  it('shows two files', () => {
    expect(files).toHaveLength(2);
  });

  it.each(files)('shows a file at line $line that loads as it is', async ({ body }) => {
    const read = readPluginFile(body.join('\n'), { file: 'plugins.yaml', env: {} });
    if (!read.ok) throw new Error(read.problems.map(formatConfigProblem).join('\n'));
    const loaded = await loadPlugins(read.read, { log: memoryLogger() });

    expect(loaded).toMatchObject({ ok: true, notes: [] });
  });

  it('names every key of a plugin file, and every mode', () => {
    const { plugins, ...top } = pluginFileSchema.shape;
    const settings = Object.keys(top.plugin_settings.unwrap().shape);
    const ofPlugin = Object.keys(plugins.unwrap().element.shape);
    const named = [...Object.keys(pluginFileSchema.shape), ...ofPlugin, ...settings];
    const missing = named.filter((key) => key !== 'plugin_settings' && !isNamed(key));

    expect(missing).toEqual([]);
    expect(PLUGIN_MODES.filter((mode) => !isNamed(mode))).toEqual([]);
  });
});

function isNamed(key: string): boolean {
  return page.includes(`\`${key}\``) || page.includes(`\`plugin_settings.${key}\``);
}
