import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import {
  CHECK_DEFAULTS,
  coerceValue,
  SUPPORTED_KEYWORDS,
  valueFromText,
} from '@holdfast/core/check';
import type { JsonValue } from '@holdfast/core/check';
import { FAILURE_RULES } from '@holdfast/core/guard';
import { DEFAULT_LIMITS, PARSE_DEFAULTS, parseJson, parseToolCalls } from '@holdfast/core/parse';
import { rootCompilerOptions } from './support/compiler.ts';
import { code, defaultsIn, tableRows } from './support/markdown-tables.ts';
import { coreEntries, root } from './support/repository.ts';

/** The tool that the page says is offered. */
const READ_FILE = {
  name: 'read_file',
  parameters: {
    type: 'object',
    properties: { path: { type: 'string' }, lines: { type: 'integer' } },
  },
};

const unions = new Map<string, string[]>();

/** The members of a union of strings that the parse or the check entry exports. */
function unionMembers(type: string): string[] {
  if (unions.size === 0) readUnions();
  return unions.get(type)!.sort();
}

function readUnions(): void {
  const entries = coreEntries().filter(({ name }) => name === 'parse' || name === 'check');
  const sources = entries.map(({ source }) => `${root}/${source}`);
  const program = ts.createProgram(sources, rootCompilerOptions());
  const checker = program.getTypeChecker();
  const exports = sources.flatMap((source) =>
    checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(source)!)!),
  );
  for (const exported of exports) {
    const type = checker.getDeclaredTypeOfSymbol(checker.getAliasedSymbol(exported));
    if (!type.isUnion()) continue;
    const members = type.types.filter((member) => member.isStringLiteral());
    unions.set(
      exported.name,
      members.map(({ value }) => value),
    );
  }
}

const json = tableRows('docs/tolerant-json.md', '| repair | before | after |');
const calls = tableRows('docs/tolerant-json.md', '| repair of a call | before | after |');
const fixes = tableRows('docs/check.md', '| repair of arguments | schema | before | after |');
const repairOf = (cell: string): string => code(cell.split(' ')[0]!);

describe('tables in the docs', () => {
  it('state the limits that are in force', () => {
    expect(defaultsIn('docs/limits.md', '| limit | default | what it bounds |')).toEqual(
      DEFAULT_LIMITS,
    );
  });

  it('state the options that are in force', () => {
    expect(defaultsIn('docs/parsing.md', '| option | default | what it does |')).toEqual(
      PARSE_DEFAULTS,
    );
  });

  it('show every repair', { timeout: 30_000 }, () => {
    const shown = new Set([...json, ...calls, ...fixes].map(([cell]) => repairOf(cell!)));
    expect([...shown].sort()).toEqual(unionMembers('Repair'));
  });

  it.each(json)('show how JSON is mended: %s', (repair, before, after) => {
    const read = parseJson(code(before).replaceAll('⏎', '\n'));
    if (!read.ok) throw new Error(read.message);

    expect(JSON.stringify(read.value)).toBe(code(after));
    expect(read.repairs).toContain(repairOf(repair));
    expect(read.lossy).toBe(repair.includes('(lossy)'));
    expect(read.complete).toBe(!repair.includes('(incomplete)'));
  });

  it.each(calls)('show how calls are mended: %s', (repair, before, after) => {
    const [call] = parseToolCalls(code(before), { tools: [READ_FILE] }).calls;

    expect(`${call!.name} ${JSON.stringify(call!.arguments)}`).toBe(code(after));
    expect(call!.repairs).toEqual([repairOf(repair)]);
    expect(call!.lossy).toBe(repair.includes('(lossy)'));
  });

  it('explain every issue and every error', { timeout: 30_000 }, () => {
    const page = 'docs/issues-and-errors.md';
    const issues = tableRows(page, '| code | what happened | what to do |');
    const errors = tableRows(page, '| code | class | what happened | what to do |');

    expect(issues.map(([cell]) => code(cell!)).sort()).toEqual(unionMembers('ParseIssueCode'));
    expect(errors.map(([cell]) => code(cell!)).sort()).toEqual(unionMembers('ErrorCode'));
  });

  it.each(fixes)('show how arguments are set right: %s by %s', (repair, schema, before, after) => {
    const value = JSON.parse(code(before)) as JsonValue;
    const coerced = coerceValue(value, JSON.parse(code(schema)) as JsonValue);

    expect(JSON.stringify(coerced.value)).toBe(code(after));
    expect(coerced.repairs[0]!.repair).toBe(repairOf(repair));
  });

  it.each(tableRows('docs/check.md', '| schema | text | value |'))(
    'show what a text means by a schema: %s, %s',
    (schema, text, value) => {
      const read = valueFromText(code(text), JSON.parse(code(schema)) as JsonValue);
      expect(JSON.stringify(read)).toBe(code(value));
    },
  );

  it.each(tableRows('docs/check.md', '| text | `text` | `literal` |'))(
    'show what a text means without a schema: %s',
    (text, asText, asLiteral) => {
      const read = (untyped: 'text' | 'literal'): string =>
        JSON.stringify(valueFromText(code(text), undefined, { untyped }));
      expect([read('text'), read('literal')]).toEqual([code(asText), code(asLiteral)]);
    },
  );

  it('list the keywords that are checked, and no others', () => {
    const first = (header: string): string[] =>
      tableRows('docs/check.md', header).map(([cell]) => code(cell!));

    expect(first('| keyword | what is checked |')).toEqual(SUPPORTED_KEYWORDS.checked);
    expect(first('| annotation | what it tells |')).toEqual(SUPPORTED_KEYWORDS.annotations);
  });

  it('state the options and issues of the check', { timeout: 30_000 }, () => {
    const page = 'docs/check.md';
    expect(defaultsIn(page, '| option | default | what it does |')).toEqual(CHECK_DEFAULTS);
    const issues = tableRows(page, '| code | what is wrong |').map(([cell]) => code(cell!));
    expect(issues.sort()).toEqual(unionMembers('CheckIssueCode'));
  });

  it('say of every class of failures what it means', () => {
    const header = '| class | when | counts | retried | what the model is told |';
    const rows = tableRows('docs/failures.md', header).map(
      ([name, , counts, retried, say]) =>
        [code(name!), { counts: counts === 'yes', retryable: retried === 'yes', say }] as const,
    );

    expect(Object.fromEntries(rows)).toEqual(FAILURE_RULES);
  });
});
