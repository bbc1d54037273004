import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitepress';

// Copied to .vitepress/ beside the install, where `links.json` and `sidebar.json` are written for it.
const read = (name) => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'));
const links = read('links.json');

/** The names GitHub gives to headings: links in the pages are written for them. */
const slugify = (heading) =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-');

/** Links are written for the files of the repository; this makes them lead to the pages of the site. */
function leadLinks(md) {
  md.core.ruler.push('repository-links', ({ tokens, env }) => {
    const leads = links[env.relativePath] ?? {};
    for (const { children } of tokens)
      for (const token of children ?? []) {
        const name = { link_open: 'href', image: 'src' }[token.type];
        const lead = leads[token.attrGet(name)];
        if (lead !== undefined) token.attrSet(name, lead);
      }
  });
}

/** Pages are compiled as templates of Vue, where braces would be an expression. */
function keepBraces(md) {
  const { code_inline: renderCode, text: renderText } = md.renderer.rules;
  md.renderer.rules.code_inline = (...args) => renderCode(...args).replace('<code', '<code v-pre');
  md.renderer.rules.text = (...args) => renderText(...args).replaceAll('{{', '&#123;&#123;');
}

/** What pages may say in HTML, beside comments. Anything else in angle brackets, as logs quote it, is text. */
const ELEMENTS = ['details', 'summary'];

function keepAngleBrackets(md) {
  const isHtml = (content) =>
    content.startsWith('<!--') ||
    [...content.matchAll(/<\/?(\w+)/g)].every(([, name]) => ELEMENTS.includes(name));
  for (const rule of ['html_inline', 'html_block'])
    md.renderer.rules[rule] = (tokens, index) => {
      const { content } = tokens[index];
      return isHtml(content) ? content : md.utils.escapeHtml(content);
    };
}

const base = process.env.HOLDFAST_DOCS_BASE ?? '/';

export default defineConfig({
  title: 'Holdfast',
  description: 'Makes the tool calls of language models hold.',
  lang: 'en-GB',
  srcDir: 'pages',
  outDir: 'dist',
  base,
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `${base}icon.svg` }]],
  cleanUrls: false,
  ignoreDeadLinks: false,
  markdown: {
    anchor: { slugify },
    config: (md) => {
      leadLinks(md);
      keepBraces(md);
      keepAngleBrackets(md);
    },
    theme: { light: 'github-light', dark: 'github-dark' },
  },
  themeConfig: {
    sidebar: read('sidebar.json'),
    search: { provider: 'local' },
    outline: { level: [2, 3] },
  },
});
