import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject, ParseOptions, Repair } from '@holdfast/core/parse';
import { readText, root } from './repository.ts';

export interface CorpusCall {
  readonly name: string;
  readonly arguments: JsonObject;
  /** None, if absent. */
  readonly repairs?: readonly Repair[];
  /** Made up, if absent. */
  readonly id?: string;
  /** True, if absent. */
  readonly complete?: boolean;
  /** Any, if absent. */
  readonly lossy?: boolean;
}

/** What a text of the corpus means. */
export interface Expectation {
  readonly about: string;
  readonly options?: Pick<
    ParseOptions,
    | 'tools'
    | 'format'
    | 'model'
    | 'startsInReasoning'
    | 'reasoning'
    | 'callsInReasoning'
    | 'unknownTool'
    | 'incompleteCalls'
  >;
  readonly text: string;
  /** Empty, if absent. */
  readonly reasoning?: string;
  readonly calls: readonly CorpusCall[];
  /** The codes of what is reported, in order; none, if absent. */
  readonly issues?: readonly string[];
  /** The formats of the calls, each once, in order. */
  readonly formats?: readonly string[];
}

export interface CorpusCase {
  /** `<folder>/<case>` */
  readonly name: string;
  readonly folder: string;
  readonly input: string;
  readonly expected: Expectation;
}

/** Texts shown to people, which say nothing of what they mean. */
const SHOWN_ONLY = 'demo';

/** The folders of the corpus whose texts have an expectation beside them. */
export function corpusFolders(): string[] {
  return readdirSync(join(root, 'corpus'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== SHOWN_ONLY)
    .map(({ name }) => name)
    .sort();
}

/** The names, without ending, of the files of a folder that end in `ending`. */
export function caseNames(folder: string, ending: '.txt' | '.json'): string[] {
  return readdirSync(join(root, 'corpus', folder))
    .filter((name) => name.endsWith(ending))
    .map((name) => name.slice(0, -ending.length))
    .sort();
}

export function readCase(folder: string, name: string): CorpusCase {
  const path = `corpus/${folder}/${name}`;
  const expected = JSON.parse(readText(`${path}.json`)) as Expectation;
  return { name: `${folder}/${name}`, folder, input: readText(`${path}.txt`), expected };
}
