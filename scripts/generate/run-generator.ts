import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { root } from '../../test/support/repository.ts';
import { Refusal } from './new-name.ts';

/** What a generator makes: new files, and files that get a line more. */
export interface Made {
  readonly files: ReadonlyMap<string, string>;
  readonly edits: ReadonlyMap<string, (text: string) => string>;
}

/** Writes all of it, or nothing where something stands in the way. Returns the paths. */
export async function writeMade({ files, edits }: Made): Promise<readonly string[]> {
  const present = [...files.keys()].filter((path) => existsSync(join(root, path)));
  if (present.length > 0) throw new Refusal(`there is ${present.join(', ')} already`);
  const edited = [...edits].map(
    ([path, edit]) => [path, edit(readFileSync(join(root, path), 'utf8'))] as const,
  );
  for (const [path, text] of [...files, ...edited]) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), await formatted(path, text));
  }
  return [...files.keys(), ...edits.keys()];
}

/** How a line is broken depends on how long the name is. */
async function formatted(path: string, text: string): Promise<string> {
  if (!path.endsWith('.ts')) return text;
  const filepath = join(root, path);
  return format(text, { ...(await resolveConfig(filepath)), filepath });
}

/** Runs a generator; what it refuses is told on one line, with exit code 2. */
export async function runGenerator(generate: () => Promise<string>): Promise<void> {
  try {
    console.log(await generate());
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    console.error(error.message);
    process.exitCode = 2;
  }
}
