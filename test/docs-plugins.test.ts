import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BUILT_IN_NAMES, loadBuiltIn } from '../packages/gateway/src/plugins/built-in-kinds.ts';
import { PLUGIN_MODES } from '../packages/gateway/src/plugins/plugin-mode.ts';
import { openPlugins } from '../packages/gateway/src/plugins/open-plugins.ts';
import type { PluginHost } from '../packages/gateway/src/plugins/plugin-run.ts';
import { memoryLogger } from '../packages/gateway/src/log/memory-logger.case.ts';
import { readText, root } from './support/repository.ts';

const PAGE = 'docs/plugins.md';

function blockOf(language: string): string {
  const [, rest = ''] = readText(PAGE).split(`\`\`\`${language}\n`);
  return rest.split('```', 1)[0] ?? '';
}

async function openExample(): Promise<PluginHost> {
  const file = join(root, 'examples/plugin/plugins.yaml');
  const opened = await openPlugins({ file, env: {}, log: memoryLogger(), watch: false });
  if (!opened.ok) throw new Error(JSON.stringify(opened.problems));
  return opened.host;
}

/** The rows of the table under a heading, as keys and defaults. */
function defaultsUnder(heading: string): Record<string, unknown> {
  const [, rest = ''] = readText(PAGE).split(`### ${heading}\n`);
  const section = rest.split('\n### ', 1)[0]?.split('\n## ', 1)[0] ?? '';
  const rows = [...section.matchAll(/^\| `(\w+)` \| `([^`]+)` \|/gm)];
  return Object.fromEntries(rows.map(([, key = '', value = '']) => [key, readValue(value)]));
}

function readValue(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

describe('the page on plugins', () => {
  it('shows the plugin and the file of the example', () => {
    expect(readText('examples/plugin/no-payroll.mjs')).toBe(blockOf('js'));
    expect(readText('examples/plugin/plugins.yaml')).toBe(blockOf('yaml'));
  });

  it('has a plugin of your own that stops what it says', async () => {
    const host = await openExample();
    const call = { requestId: '1', tool: 'read_file', server: 'files' };
    const stopped = await host.begin(call)?.pre({ path: '/payroll/may.csv' });
    expect(stopped?.violation).toMatchObject({
      code: 'PAYROLL',
      description: 'Files in /payroll are private. Do not ask for them again.',
    });
    const fine = await host.begin(call)?.pre({ path: '/notes.md' });
    expect(fine?.violation).toBeUndefined();
  });

  it('has a circuit breaker that opens for payment_api after two failures', async () => {
    const host = await openExample();
    expect(host.guardsTool('payment_api', 'bank')).toBe(true);
    const call = { requestId: '1', tool: 'payment_api', server: 'bank' };
    for (let failures = 0; failures < 2; failures++) {
      const run = host.begin(call);
      await run?.pre({});
      await run?.post({ isError: true, content: [] });
    }
    const refused = await host.begin(call)?.pre({});
    expect(refused?.violation?.code).toBe('CIRCUIT_OPEN');
  });

  it.each(BUILT_IN_NAMES)('has the keys and defaults of %s', async (name) => {
    const plugin = await loadBuiltIn(name);
    expect(defaultsUnder(name)).toEqual(plugin?.schema.parse({}));
  });

  it('tells of every mode', () => {
    const modes = readText(PAGE).split('## Modes')[1]?.split('\n## ', 1)[0] ?? '';
    for (const mode of PLUGIN_MODES) expect(modes).toContain(`\`${mode}\``);
  });
});
