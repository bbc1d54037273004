import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { siteProblems } from '../scripts/docs-site/check-site.ts';
import { navProblems, readDocsNav } from '../scripts/docs-site/docs-nav.ts';
import { serveSite } from '../scripts/docs-site/serve-site.ts';
import { listFiles, readText } from './support/repository.ts';

const docs = listFiles('docs', (path) => path.endsWith('.md'));

describe('the list of pages in docs/README.md', () => {
  it('has each page of the documentation once', () => {
    expect(navProblems(readDocsNav(readText), docs)).toEqual([]);
  });

  it('has a section for each heading with a table of pages', () => {
    const home = [
      '# Documentation',
      '## Start',
      '| page | answers |',
      '| --- | --- |',
      '| [One](one.md), [`two`](two.md#part) | [else](three.md) |',
      '| [All](all/README.md), [Six](all/six.md) | |',
      '## Samples',
      '| format | looks like |',
      '| --- | --- |',
      '| [four](all/four.md) | |',
    ].join('\n');
    const folder =
      '[four](four.md) [five](deep/five.md) [four](four.md) [up](../one.md) [6](six.md)';
    const nav = readDocsNav((path) => (path === 'docs/README.md' ? home : folder));

    expect(nav).toEqual([
      {
        title: 'Start',
        pages: [
          { title: 'One', path: 'docs/one.md', pages: [] },
          {
            title: 'All',
            path: 'docs/all/README.md',
            pages: [
              { title: 'four', path: 'docs/all/four.md', pages: [] },
              { title: 'five', path: 'docs/all/deep/five.md', pages: [] },
            ],
          },
          { title: 'Six', path: 'docs/all/six.md', pages: [] },
        ],
      },
    ]);
  });

  it('is refused when a page is missing, or there twice', () => {
    const page = { title: 'One', path: 'docs/one.md', pages: [] };
    const index = { title: 'All', path: 'docs/all/README.md', pages: [] };
    const nav = [
      { title: 'Start', pages: [page, index] },
      { title: 'More', pages: [page] },
    ];
    const there = ['one.md', 'two.md', 'all/README.md', 'all/three.md', 'README.md'];
    expect(
      navProblems(
        nav,
        there.map((path) => `docs/${path}`),
      ),
    ).toEqual([
      'docs/two.md is not listed: add it to the table of its section in docs/README.md',
      'docs/all/three.md is not listed: link to it in docs/all/README.md',
      'docs/one.md is listed 2 times: in "Start", in "More"',
    ]);
  });
});

describe('the check of the built site', () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-site-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('finds links and pictures that lead nowhere, and what another host would be asked for', () => {
    writeFileSync(
      join(folder, 'index.html'),
      [
        '<h2 id="here"></h2> <a href="#here"></a> <a href="/site/two.html#there"></a>',
        '<a href="https://example.com/"></a> <a href="two.html#nowhere"></a>',
        '<img alt="" src="gone.png"> <script src="https://cdn.example.com/x.js"></script>',
      ].join('\n'),
    );
    writeFileSync(join(folder, 'two.html'), '<h2 id="there"></h2> <a href="/site/"></a>');

    expect(siteProblems(folder, '/site/')).toEqual([
      'index.html fetches https://cdn.example.com/x.js',
      'index.html links to two.html#nowhere: there is no such heading',
      'index.html links to gone.png: there is no such file',
    ]);
  });
});

describe('the preview of the site', () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-preview-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('serves the folder on the loopback address, and nothing else', async () => {
    writeFileSync(join(folder, 'index.html'), 'home');
    writeFileSync(join(folder, '404.html'), 'not here');
    const site = await serveSite(folder, '/site/', 0);
    const ask = async (path: string): Promise<string> => {
      const response = await fetch(new URL(path, site.url));
      return `${response.status} ${await response.text()}`;
    };

    expect(site.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/site\/$/);
    expect(await ask('/site/')).toBe('200 home');
    expect(await ask('/site/gone.html')).toBe('404 not here');
    expect(await ask('/site/..%2f..%2f..%2fetc/passwd')).toBe('404 not here');
    expect(await ask('/site/%E0%A4%A')).toBe('404 not here');
    site.close();
  });
});
