import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { typeErrors, writeBlocks, type WrittenBlock } from './support/check-blocks.ts';
import { anchorsOf, brokenLinks } from './support/markdown-links.ts';
import { codeBlocks, type CodeBlock } from './support/markdown.ts';
import { listFiles, readText, root } from './support/repository.ts';
import { runNode } from './support/run-node.ts';

const pages = listFiles('.', (path) => path.endsWith('.md'));
const withCode = pages.filter(
  (page) => ['README.md', 'CONTRIBUTING.md'].includes(page) || page.startsWith('docs/'),
);

async function runtimeErrors(written: readonly WrittenBlock[]): Promise<string[]> {
  const list = join(root, '.cache', 'docs-code', 'blocks.json');
  const blocks = written
    .filter(({ block }) => block.notRun === undefined)
    .map(({ block, runnable }) => ({ place: `${block.page}:${block.line}`, path: runnable }));
  writeFileSync(list, JSON.stringify(blocks));
  const { code, stdout, stderr } = await runNode(['test/support/run-blocks.mjs', list]);
  if (code !== 0) return [`the blocks ended the process with ${code}: ${stdout}${stderr}`];
  return JSON.parse(stdout) as string[];
}

describe('code in the docs', () => {
  it('compiles, runs and prints what the page says', { timeout: 120_000 }, async () => {
    const written = writeBlocks(withCode.flatMap((page) => codeBlocks(page, readText(page))));

    expect(typeErrors(written)).toEqual([]);
    expect(await runtimeErrors(written)).toEqual([]);
  });

  it(
    'is refused when it does not compile or prints something else',
    { timeout: 120_000 },
    async () => {
      const block = (line: number, code: string, notRun?: string): CodeBlock => ({
        page: 'made-up.md',
        line,
        code,
        notRun,
      });
      const written = writeBlocks([
        block(
          10,
          'const wide: { a: number[] } = { a: [1, 2] };\nconsole.log(wide); // → { a: [ 1, 2 ] }\n',
        ),
        block(20, "console.log('one'); // → two\n"),
        block(30, "const text: number = 'text';\n"),
        block(40, "throw new Error('thrown');\n"),
        block(50, "throw new Error('not run');\n", 'it throws'),
        block(60, 'const silent = 1; // → 1\n'),
      ]);

      expect(typeErrors(written)).toEqual([
        "made-up.md:30 Type 'string' is not assignable to type 'number'.",
      ]);
      expect(await runtimeErrors(written)).toEqual([
        'made-up.md:20 expected two\n  but printed one',
        expect.stringContaining('made-up.md:40 Error: thrown'),
        'made-up.md:60 expected 1\n  but printed nothing',
      ]);
    },
  );
});

describe('links in the docs', () => {
  it('lead to files and headings that exist', () => {
    expect(pages.flatMap((page) => brokenLinks(page, readText(page)))).toEqual([]);
  });

  it('are refused when they lead nowhere', () => {
    const page = [
      '# A `b` heading',
      '[good](package.json) [self](#a-b-heading) [away](https://example.com/x)',
      '[gone](no-such-file.md) `[code](no-such-file.md)`',
      '[self](#no-such-heading)',
      '```',
      '[fenced](no-such-file.md)',
      '```',
      '[reference]: ../outside.md',
      '![a picture](docs/images/overview-light.png) ![gone](docs/images/gone.png)',
      '<img alt="" src="docs/images/missing.png"> [`code`](no-such-code.md)',
    ].join('\n');

    expect(brokenLinks('made-up.md', page)).toEqual([
      'made-up.md:3 links to no-such-file.md: there is no such file',
      'made-up.md:4 links to #no-such-heading: there is no such heading',
      'made-up.md:8 links to ../outside.md: it is outside this repository',
      'made-up.md:9 links to docs/images/gone.png: there is no such file',
      'made-up.md:10 links to no-such-code.md: there is no such file',
      'made-up.md:10 links to docs/images/missing.png: there is no such file',
    ]);
  });

  it('know repeated headings by the names GitHub gives them', () => {
    expect([...anchorsOf('# Two, words!\n## Two words\n<a id="own"></a>')]).toEqual([
      'two-words',
      'two-words-1',
      'own',
    ]);
  });
});
