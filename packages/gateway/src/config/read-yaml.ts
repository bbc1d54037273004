import {
  isCollection,
  isMap,
  isNode,
  isScalar,
  Lexer,
  LineCounter,
  parseDocument,
  Parser,
  visit,
} from 'yaml';
import type { Document, Node, Pair, YAMLMap } from 'yaml';

/** A place in a file, counted from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** What a YAML text says, and where it says it. */
export type ReadYaml =
  | {
      readonly ok: true;
      readonly value: unknown;
      /** Where a value stands, or its key; where it is missing, what it is missing from. */
      placeOf(path: readonly PropertyKey[], isKey: boolean): Place;
    }
  | { readonly ok: false; readonly problems: readonly (Place & { readonly message: string })[] };

/** Files that people write are flat; this keeps a hostile one from using up the stack. */
const MAX_DEPTH = 64;

/** Reads one YAML document without anchors. Never throws. */
export function readYaml(text: string): ReadYaml {
  const tooDeep = placeTooDeep(text);
  if (tooDeep !== undefined) {
    return { ok: false, problems: [{ ...tooDeep, message: `nested deeper than ${MAX_DEPTH}` }] };
  }
  const lines = new LineCounter();
  const document = withoutStacks(() =>
    parseDocument(text, {
      lineCounter: lines,
      prettyErrors: false,
      stringKeys: true,
      // It compares each key with all before it; `slipsIn` looks instead.
      uniqueKeys: false,
    }),
  );
  const at = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const problems = [...document.errors, ...document.warnings]
    .map(({ code, message, pos: [offset] }) => ({
      offset,
      message: code === 'BAD_ALIAS' ? ALIAS : message,
    }))
    .concat(slipsIn(document))
    .map(({ offset, message }) => ({ ...at(offset), message }));
  // One slip makes the reader stumble several times on the same line.
  const toldLines = new Set<number>();
  const written = text.split('\n');
  const told = problems
    .filter(({ line }) => !toldLines.has(line) && toldLines.add(line))
    .sort((a, b) => a.line - b.line)
    .map((problem) => {
      const hint = problem.message === ALIAS ? '' : hintFor(written[problem.line - 1] ?? '');
      return { ...problem, message: `${problem.message}${hint}` };
    });
  if (told.length > 0) return { ok: false, problems: told };
  const findPair = pairFinder();
  return {
    ok: true,
    value: document.toJS(),
    placeOf: (path, isKey) => at(offsetOf(document, path, isKey, findPair)),
  };
}

/**
 * What is wrong is told by its place in the file, and errors that know theirs in the program cost ten times as much:
 * a file of nothing but slips would hold up the gateway that reads it anew.
 */
function withoutStacks<Result>(work: () => Result): Result {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return work();
  } finally {
    Error.stackTraceLimit = limit;
  }
}

/**
 * Where a text is nested deeper than may be. `parseDocument` calls itself for each level, and Node ends where that
 * uses up the stack inside a regular expression; its parser keeps a list of what is open, and calls nothing.
 */
function placeTooDeep(text: string): Place | undefined {
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text)) {
    // Nothing is done with what was read: it is asked for, as the parser goes on only then.
    for (const _ of parser.next(lexeme));
    const { length } = parser.stack;
    if (length > MAX_DEPTH && parser.stack.filter(isOpenCollection).length > MAX_DEPTH) {
      const before = text.slice(0, parser.offset - 1).split('\n');
      return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
    }
  }
  return undefined;
}

function isOpenCollection({ type }: { readonly type: string }): boolean {
  return type === 'block-map' || type === 'block-seq' || type === 'flow-collection';
}

const TWICE = 'Map keys must be unique';
const ALIAS = "expected a value, got * and a name; put quotes around text that begins with *: '*'";

function hintFor(line: string): string {
  const isInside = /[[{]/.test(line.slice(0, line.indexOf('${')));
  return line.includes('${') && isInside ? '; between { } or [ ], put quotes around "${…}"' : '';
}

interface Slip {
  readonly offset: number;
  readonly message: string;
}

/** What YAML takes and a configuration does not: aliases, and keys that are there twice. */
function slipsIn(document: Document): Slip[] {
  const slips: Slip[] = [];
  visit(document, {
    Alias: (_, node) => void slips.push({ offset: startOf(node) ?? 0, message: ALIAS }),
    Map: (_, { items }) => {
      const keys = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (keys.has(key.value)) slips.push({ offset: startOf(key) ?? 0, message: TWICE });
        keys.add(key.value);
      }
    },
  });
  return slips;
}

type FindPair = (map: YAMLMap, key: string) => Pair | undefined;

/** Finds pairs by their keys, in a list that is made for each map that is asked. */
function pairFinder(): FindPair {
  const known = new Map<YAMLMap, ReadonlyMap<string, Pair>>();
  return (map, key) => {
    let pairs = known.get(map);
    if (pairs === undefined) {
      pairs = new Map(
        map.items.flatMap((pair) => (isScalar(pair.key) ? [[String(pair.key.value), pair]] : [])),
      );
      known.set(map, pairs);
    }
    return pairs.get(key);
  };
}

function offsetOf(
  document: Document,
  path: readonly PropertyKey[],
  isKey: boolean,
  findPair: FindPair,
): number {
  let offset = startOf(document.contents) ?? 0;
  let node: unknown = document.contents;
  for (const [index, step] of path.entries()) {
    if (!isCollection(node)) break;
    const isLast = index === path.length - 1;
    if (isMap(node)) {
      const pair = findPair(node, String(step));
      if (pair === undefined) break;
      offset = startOf(pair.key) ?? offset;
      node = pair.value;
      if (isLast && isKey) break;
    } else {
      node = node.get(Number(step), true);
    }
    // A key without a value: the place of the key is where one was expected.
    const isEmpty = isScalar(node) && node.source === '';
    if (!isEmpty) offset = startOf(node) ?? offset;
  }
  return offset;
}

function startOf(node: unknown): number | undefined {
  return isNode(node) ? (node as Node).range?.[0] : undefined;
}
