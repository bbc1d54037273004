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
import type { Document, Node } from 'yaml';

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
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    stringKeys: true,
  });
  const at = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const problems = [...document.errors, ...document.warnings]
    .map(({ code, message, pos: [offset] }) => ({
      ...at(offset),
      message: code === 'BAD_ALIAS' ? ALIAS : message,
    }))
    .concat(aliasesIn(document).map((offset) => ({ ...at(offset), message: ALIAS })));
  // One slip makes the reader stumble several times on the same line.
  const toldLines = new Set<number>();
  const written = text.split('\n');
  const told = problems
    .filter(({ line }) => !toldLines.has(line) && toldLines.add(line))
    .map((problem) => {
      const hint = problem.message === ALIAS ? '' : hintFor(written[problem.line - 1] ?? '');
      return { ...problem, message: `${problem.message}${hint}` };
    });
  if (told.length > 0) return { ok: false, problems: told };
  return {
    ok: true,
    value: document.toJS(),
    placeOf: (path, isKey) => at(offsetOf(document, path, isKey)),
  };
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

const ALIAS = "expected a value, got * and a name; put quotes around text that begins with *: '*'";

function hintFor(line: string): string {
  const isInside = /[[{]/.test(line.slice(0, line.indexOf('${')));
  return line.includes('${') && isInside ? '; between { } or [ ], put quotes around "${…}"' : '';
}

function aliasesIn(document: Document): number[] {
  const offsets: number[] = [];
  visit(document, { Alias: (_, node) => void offsets.push(node.range?.[0] ?? 0) });
  return offsets;
}

function offsetOf(document: Document, path: readonly PropertyKey[], isKey: boolean): number {
  let offset = startOf(document.contents) ?? 0;
  let node: unknown = document.contents;
  for (const [index, step] of path.entries()) {
    if (!isCollection(node)) break;
    const isLast = index === path.length - 1;
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === step);
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
