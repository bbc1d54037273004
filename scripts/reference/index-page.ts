import { coreEntries } from '../../test/support/repository.ts';
import { ENTRY_PURPOSES } from './entry-purposes.ts';

/** The list of all pages. */
export function indexPage(): string {
  const rows = coreEntries().map(
    ({ specifier, name }) =>
      `| [${specifier}](api/${name}.md) | ${ENTRY_PURPOSES[name]?.purpose ?? ''} |`,
  );
  return `# Reference

Written from the source by \`npm run docs:reference\`; a test says when that has to be run again. The [other pages](../README.md) explain.

| page | what it lists |
| --- | --- |
| [holdfast.yaml](configuration.md) | every key of the configuration, with its type and default |
| [holdfast](cli.md) | every command and option, as their help says them |
| [Sizes](sizes.md) | what each entry of the library adds to a bundle |

The library, one page per entry, with every public name:

| entry | what it does |
| --- | --- |
${rows.join('\n')}
`;
}
