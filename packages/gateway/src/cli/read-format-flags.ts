import { FORMAT_NAMES } from '../config/format-names.ts';
import type { Arguments } from './command.ts';
import { Misuse } from './misuse.ts';
import { didYouMean } from './nearest.ts';

/** The formats that `--formats a,b` names; undefined without it. */
export function readFormats({ values }: Arguments): readonly string[] | undefined {
  const written = values.get('formats');
  if (written === undefined) return undefined;
  const names = written.split(',').map((name) => name.trim());
  for (const name of names) checkFormat('formats', name);
  return names;
}

/** Refuses a name that no format has. */
export function checkFormat(option: string, name: string): void {
  if (FORMAT_NAMES.includes(name)) return;
  const suggestion = didYouMean(name, FORMAT_NAMES);
  throw new Misuse(
    `--${option}: expected a format that reads calls (see holdfast formats), got "${name}"${suggestion}`,
  );
}
