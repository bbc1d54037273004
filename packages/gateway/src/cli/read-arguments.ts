import { parseArgs } from 'node:util';
import type { ParseArgsConfig } from 'node:util';
import type { Arguments, OptionKind, OptionKinds } from './command.ts';
import { Misuse } from './misuse.ts';
import { didYouMean } from './nearest.ts';

type Option = NonNullable<ParseArgsConfig['options']>[string];

/** Options that have a letter, too. */
export const SHORT_OPTIONS: Readonly<Record<string, string>> = { help: 'h', follow: 'f' };

/** Reads the arguments of a command. `parseArgs` splits them; the messages are ours. */
export function readArguments(args: readonly string[], options: OptionKinds): Arguments {
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(Object.entries(options).map(toOption)),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const flags = new Set<string>();
  const values = new Map<string, string>();
  const lists = new Map<string, string[]>();
  const positionals: string[] = [];
  let behindDashes: string[] | undefined;
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (token?.kind === 'option-terminator') behindDashes = [];
    if (token?.kind === 'positional') {
      positionals.push(token.value);
      behindDashes?.push(token.value);
    }
    if (token?.kind !== 'option') continue;
    const { name, rawName, value, inlineValue } = token;
    const kind = Object.hasOwn(options, name) ? options[name] : undefined;
    if (kind === undefined) throw unknownOption(rawName, Object.keys(options));
    if (kind === 'flag') {
      if (value !== undefined) throw new Misuse(`${rawName} takes no value, got "${value}"`);
      flags.add(name);
      continue;
    }
    if (typeof kind !== 'string') {
      const next = tokens[at + 1];
      const isNext = value === undefined && next?.kind === 'positional';
      const word = isNext && kind.words.includes(next.value) ? next.value : undefined;
      if (word !== undefined) at++;
      values.set(name, value ?? word ?? kind.alone);
      continue;
    }
    // `--format --stream` is a forgotten value far more often than a format named "--stream".
    if (value === undefined || (!inlineValue && value.startsWith('-') && value !== '-')) {
      throw new Misuse(`${rawName} needs a value`);
    }
    if (kind === 'value') values.set(name, value);
    else lists.set(name, [...(lists.get(name) ?? []), value]);
  }
  return { flags, values, lists, positionals, ...(behindDashes && { behindDashes }) };
}

function toOption([name, kind]: readonly [string, OptionKind]): [string, Option] {
  const type = kind === 'value' || kind === 'values' ? 'string' : 'boolean';
  const short = SHORT_OPTIONS[name];
  return [name, short === undefined ? { type } : { type, short }];
}

function unknownOption(rawName: string, known: readonly string[]): Misuse {
  const spelled = known.map((name) => `--${name}`);
  return new Misuse(`unknown option ${rawName}${didYouMean(rawName, spelled)}`);
}
