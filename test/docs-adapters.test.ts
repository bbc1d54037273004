import { describe, expect, it } from 'vitest';
import { readText } from './support/repository.ts';

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

const manifestOf = (folder: string): Readonly<Record<string, string>> => {
  const { dependencies, devDependencies } = JSON.parse(
    readText(`${folder}package.json`),
  ) as Manifest;
  return { ...dependencies, ...devDependencies };
};

const workspace = manifestOf('');
const sets = ['newest', 'previous', 'oldest'].map((set) =>
  manifestOf(`test/adapters/peers/${set}/`),
);

/** The versions of an SDK that the adapters are run with, newest first. */
const runWith = (name: string): string[] => sets.flatMap((set) => set[name] ?? []);

const versionOf = (name: string): string => (workspace[name] ?? '').replace(/^.*@|\^/g, '');

/** What a page says that it was tested with: its last line but for notes. */
const saidOn = (page: string): string =>
  readText(`docs/${page}.md`)
    .split('\n')
    .find((line) => line.startsWith('Tested with ')) ?? '';

const inWords = (versions: readonly string[]): string =>
  [versions.slice(0, -1).join(', '), ...versions.slice(-1)].filter(Boolean).join(' and ');

describe('what the pages of adapters say they were tested with', () => {
  it.each([
    ['adapter-ai-sdk', ['ai']],
    ['adapter-openai', ['openai']],
    ['adapter-anthropic', ['@anthropic-ai/sdk']],
    [
      'adapter-langchain',
      [
        'langchain',
        '@langchain/core',
        '@langchain/langgraph',
        '@langchain/openai',
        '@langchain/anthropic',
      ],
    ],
  ])('is what the tests install: %s', (page, names) => {
    for (const name of names) {
      const versions = runWith(name);
      expect(versions.length).toBeGreaterThan(1);
      expect(saidOn(page)).toContain(`\`${name}\` ${inWords(versions)}`);
    }
  });

  it('is two majors of Express and of Fastify', () => {
    const said = saidOn('mounting');

    expect(said).toContain(`Express ${versionOf('express')} and ${versionOf('express-4')}`);
    expect(said).toContain(`Fastify ${versionOf('fastify')} and ${versionOf('fastify-4')}`);
  });

  it('is both SDKs of MCP', () => {
    const said = saidOn('adapter-mcp-sdk');
    const gateway = manifestOf('packages/gateway/');

    expect(said).toContain(
      `\`@modelcontextprotocol/sdk\` ${versionOf('@modelcontextprotocol/sdk')}`,
    );
    for (const part of ['client', 'server'])
      expect(said).toContain(gateway[`@modelcontextprotocol/${part}`]!.replace('^', ''));
  });
});
