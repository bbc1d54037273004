import { toIdentifier } from './new-name.ts';

/** The files of a new built-in plugin, by their paths: they work as they are, and are there to be changed. */
export function pluginFiles(name: string): ReadonlyMap<string, string> {
  const folder = 'packages/gateway/src/plugins/built-in';
  return new Map([
    [`${folder}/${name}.ts`, codeOf(name)],
    [`${folder}/${name}.test.ts`, testOf(name)],
  ]);
}

const keyOf = (name: string): string => name.replaceAll(/[.-]/g, '_');

function codeOf(name: string): string {
  const identifier = toIdentifier(name);
  const create = `create${identifier.charAt(0).toUpperCase()}${identifier.slice(1)}`;
  return `import type { z } from 'zod';
import { section, text } from '../../config/schema-parts.ts';
import type { Plugin } from '../plugin.ts';
import type { BuiltInPlugin } from './built-in-plugin.ts';
import { builtIn } from './built-in-plugin.ts';

const schema = section({
  label: text.default('${name}').describe('What every result is labelled with.'),
});

type Config = z.output<typeof schema>;

/** Labels every result in its metadata. */
export const ${identifier}: BuiltInPlugin = builtIn(schema, ${create});

function ${create}({ label }: Config): Plugin {
  return {
    tool_post_invoke: () => ({ metadata: { ${keyOf(name)}: label } }),
  };
}
`;
}

function testOf(name: string): string {
  return `import { describe, expect, test } from 'vitest';
import { hostOfYaml } from '../plugin-host.case.ts';
import { post, text } from './built-in-plugin.case.ts';

const plugin = (config: string): string => \`- { name: p, kind: ${name}, config: \${config} }\`;

describe('${name}', () => {
  test('labels a result and leaves it as it is', async () => {
    const { result, metadata } = await post(plugin('{}'), text('done'));
    expect(result).toEqual(text('done'));
    expect(metadata).toEqual({ ${keyOf(name)}: '${name}' });
  });

  test('takes the label it is given', async () => {
    const { metadata } = await post(plugin('{ label: reviewed }'), text('done'));
    expect(metadata).toEqual({ ${keyOf(name)}: 'reviewed' });
  });

  test('refuses a key that it does not have', async () => {
    await expect(hostOfYaml(plugin('{ labl: x }'))).rejects.toThrow('did you mean label?');
  });
});
`;
}

/** Its part of docs/plugins.md. */
export function pluginSection(name: string): string {
  return `### ${name}

Labels every result in its metadata, as \`${keyOf(name)}\`.

| key | default | |
| --- | --- | --- |
| \`label\` | \`${name}\` | what every result is labelled with |

`;
}
