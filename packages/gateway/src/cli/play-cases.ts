import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Misuse } from './misuse.ts';

export interface PlayCase {
  readonly title: string;
  readonly file: string;
}

/** Four folders up from the source as from the build: the root of the repository. */
const FOLDER = fileURLToPath(new URL('../../../../corpus/demo/', import.meta.url));

/** What is played, in this order. */
export const PLAY_CASES: readonly PlayCase[] = [
  { title: 'a clean call amid prose', file: '1-clean-call.txt' },
  { title: 'two calls in one list', file: '2-list-of-calls.txt' },
  { title: 'OpenAI JSON in a Markdown fence', file: '3-fenced-json.txt' },
  { title: 'Python where JSON was expected', file: '4-python-literals.txt' },
  { title: 'unescaped quotes and a missing brace', file: '5-broken-json.txt' },
  { title: 'a call thought of, then one made', file: '6-reasoning.txt' },
  { title: 'thoughts, words and a call in channels', file: '7-channels.txt' },
  { title: 'prose with a brace, and no call', file: '8-no-call.txt' },
].map(({ title, file }) => ({ title, file: join(FOLDER, file) }));

/** The built-in cases, or every .txt file of a folder. */
export async function findPlayCases(folder: string | undefined): Promise<readonly PlayCase[]> {
  const names = await textFiles(folder ?? FOLDER);
  if (folder === undefined) {
    if (names !== undefined) return PLAY_CASES;
    throw new Misuse(
      'it plays corpus/demo/ of the Holdfast repository, which the published package ' +
        'does not contain; name a folder of .txt files: holdfast play <dir>',
    );
  }
  if (names === undefined) throw new Misuse(`cannot read ${folder}: there is no such folder`);
  if (names.length === 0) throw new Misuse(`expected .txt files in ${folder}, found none`);
  return names.map((name) => ({ title: name.slice(0, -'.txt'.length), file: join(folder, name) }));
}

async function textFiles(folder: string): Promise<string[] | undefined> {
  try {
    return (await readdir(folder)).filter((name) => name.endsWith('.txt')).sort();
  } catch {
    return undefined;
  }
}
