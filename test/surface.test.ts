import { describe, expect, it } from 'vitest';
import { listFiles, readText } from './support/repository.ts';
import { publicSurface } from './support/surface.ts';

const folder = 'test/surface';

const reviewed = (): Map<string, string> =>
  new Map(
    listFiles(folder, (path) => path.endsWith('.txt')).map((path) => [
      path.slice(folder.length + 1),
      readText(path),
    ]),
  );

const sentences = (files: ReadonlyMap<string, string>): string[] =>
  [...files].flatMap(([file, text]) =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => `${file}: ${line}`),
  );

describe('the public surface', () => {
  it('is the one reviewed in test/surface', { timeout: 60_000 }, () => {
    const before = sentences(reviewed());
    const now = sentences(publicSurface());

    expect(
      {
        added: now.filter((line) => !before.includes(line)),
        removed: before.filter((line) => !now.includes(line)),
      },
      'if the change is meant, run `npm run surface:update` and let the difference be reviewed',
    ).toEqual({ added: [], removed: [] });
  });
});
