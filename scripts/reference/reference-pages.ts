import { coreEntries } from '../../test/support/repository.ts';
import { apiPage } from './api-page.ts';
import { cliPage } from './cli-page.ts';
import { configPage } from './config-page.ts';
import { indexPage } from './index-page.ts';
import { reviewedSizes, sizesPage } from './sizes-page.ts';

/** Where the pages are, from the root of the repository. */
export const REFERENCE_FOLDER = 'docs/reference';

/** All pages that are written from the source, by their names below the folder. */
export async function referencePages(): Promise<ReadonlyMap<string, string>> {
  return new Map([
    ['README.md', indexPage()],
    ['configuration.md', configPage()],
    ['cli.md', await cliPage()],
    ['sizes.md', sizesPage(reviewedSizes())],
    ...coreEntries().map((entry) => [`api/${entry.name}.md`, apiPage(entry)] as const),
  ]);
}
