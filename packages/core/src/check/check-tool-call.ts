import { lostNumbersIn, numberLookup } from '../internal/number-digits.ts';
import { SchemaCoercion } from '../internal/schema-coercion.ts';
import type { CoercionNote } from '../internal/schema-coercion.ts';
import { showValue } from '../internal/schema-problem.ts';
import type { SchemaProblem, ValuePath } from '../internal/schema-problem.ts';
import { scanSchema } from '../internal/schema-scan.ts';
import { sizeOf } from '../internal/schema-size.ts';
import { SchemaValidator } from '../internal/schema-validator.ts';
import { newWalk } from '../internal/schema-values.ts';
import { isSchemaObject } from '../internal/schema-walk.ts';
import { toolDefinitions } from '../internal/tool-definitions.ts';
import { nearestNames, ToolNames } from '../internal/tool-names.ts';
import type { JsonObject, JsonValue, ToolDefinition, ToolsInput } from '../types.ts';
import { toCheckIssue } from './check-issue.ts';
import type { CheckIssue } from './check-issue.ts';
import { CHECK_DEFAULTS, checkOptions } from './check-options.ts';
import type { CheckOptions } from './check-options.ts';
import type { CheckableCall, CheckRepair, CheckResult } from './check-result.ts';
import { describeRepair } from './describe-repair.ts';

/**
 * Holds a call against the tools that were offered: is there such a tool, and do the arguments fit its
 * schema? Mistakes that can only mean one thing are repaired and listed. Throws where `tools` holds something
 * else than tools, never because of a call or of what a schema says.
 */
export function checkToolCall<Call extends CheckableCall>(
  call: Call,
  tools: ToolsInput,
  options: CheckOptions = {},
): CheckResult<Call> {
  checkOptions(options);
  const fix = options.fix ?? CHECK_DEFAULTS.fix;
  const offered = toolDefinitions(tools);
  const tool = findTool(call.name, offered, fix);
  if (tool === undefined) return refuse(call.name, [unknownTool(call.name, offered)], []);
  const repairs: CheckRepair[] = [];
  if (tool.name !== call.name)
    repairs.push({ repair: 'tool-name', path: [], message: `${call.name} is ${tool.name}` });
  const warnings = warningsOf(tool);
  const checked = checkArguments(call, schemaOf(tool), fix ? options : undefined);
  if (checked.issues.length > 0) return refuse(tool.name, checked.issues, warnings);
  for (const note of checked.notes) repairs.push(describeRepair(note));
  const value = checked.value as JsonObject;
  return { ok: true, call: withRepairs(call, tool.name, value, repairs), repairs, warnings };
}

function findTool(
  name: string,
  tools: readonly ToolDefinition[],
  fix: boolean,
): ToolDefinition | undefined {
  const exact = tools.find((tool) => tool.name === name);
  if (exact !== undefined || !fix) return exact;
  const meant = new ToolNames(tools.map((tool) => tool.name)).resolve(name);
  return tools.find((tool) => tool.name === meant);
}

function unknownTool(name: string, tools: readonly ToolDefinition[]): CheckIssue {
  const names = tools.map((tool) => tool.name);
  const [suggestion] = nearestNames(name, names);
  return {
    code: 'unknown-tool',
    path: [],
    message: new ToolNames(names).explainUnknown(name) ?? '',
    expected: names.length === 0 ? 'no tool' : `one of ${names.slice(0, 20).join(', ')}`,
    received: JSON.stringify(name),
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}

/** Arguments are an object, whether the schema says so or not. */
function schemaOf({ parameters }: ToolDefinition): JsonObject {
  return isSchemaObject(parameters) ? parameters : { type: 'object' };
}

interface CheckedArguments {
  readonly value: JsonValue;
  readonly issues: readonly CheckIssue[];
  readonly notes: readonly CoercionNote[];
}

/** Checks arguments as they are and, if they do not fit, as they are with `fixes`. */
function checkArguments(
  { arguments: value, argumentsText: text }: CheckableCall,
  schema: JsonObject,
  fixes: CheckOptions | undefined,
): CheckedArguments {
  const size = sizeOf(value);
  if (size === undefined) return { value, notes: [], issues: [tooComplex('the arguments are')] };
  const asWritten = issuesOf(value, schema, size);
  if (asWritten.length === 0 || fixes === undefined) return { value, notes: [], issues: asWritten };
  const coercion = new SchemaCoercion(newWalk(schema, size), {
    parseLoose: fixes.parseLoose,
    fixesShape: true,
    numberAt: text === undefined ? undefined : numberLookup(text),
  });
  const fixed = coercion.coerce(coercion.coerce(value, { type: 'object' }), schema);
  if (fixed === value) return { value, notes: [], issues: asWritten };
  const lost = text === undefined ? [] : lostNumbersIn(text, fixed).map(lostNumber);
  return {
    value: fixed,
    notes: coercion.notes,
    issues: [...issuesOf(fixed, schema, sizeOf(fixed) ?? size), ...lost],
  };
}

/** Changed arguments are written anew, from a value that does not hold all digits of this number. */
function lostNumber(path: ValuePath): CheckIssue {
  const expected = 'a number that a double can hold';
  return toCheckIssue({ code: 'wrong-value', path, expected, received: 'more digits' });
}

function issuesOf(value: JsonValue, schema: JsonObject, size: number): CheckIssue[] {
  if (!isSchemaObject(value)) {
    const problem = {
      code: 'wrong-type',
      expected: 'an object',
      received: showValue(value),
    } as const;
    return [toCheckIssue({ ...problem, path: [] })];
  }
  const walk = newWalk(schema, size);
  const problems: SchemaProblem[] = [];
  const isFit = new SchemaValidator(walk, problems).check(value, schema);
  if (walk.isCut) return [tooComplex('the schema is')];
  return isFit ? [] : problems.map(toCheckIssue);
}

function tooComplex(what: string): CheckIssue {
  return {
    code: 'too-complex',
    path: [],
    message: `${what} too large, too deep or without end: not all could be checked`,
    expected: 'what can be checked in bounded time',
    received: 'more than that',
  };
}

function warningsOf(tool: ToolDefinition): CheckIssue[] {
  if (!isSchemaObject(tool.parameters)) return [];
  return scanSchema(tool.parameters).map(({ keyword, at, reason }) => ({
    code: 'unsupported-keyword',
    path: [],
    message: `${at} in the schema of ${tool.name} is not checked: ${reason}`,
    expected: 'a keyword that is supported',
    received: keyword,
  }));
}

function withRepairs<Call extends CheckableCall>(
  call: Call,
  name: string,
  args: JsonObject,
  repairs: readonly CheckRepair[],
): Call {
  if (repairs.length === 0) return call;
  const names = repairs.map(({ repair }) => repair);
  const all = [...new Set([...(call.repairs ?? []), ...names])];
  const repaired = {
    ...call,
    name,
    arguments: args,
    ...(call.repairs === undefined ? {} : { repairs: all }),
  };
  if (args !== call.arguments) Reflect.deleteProperty(repaired, 'argumentsText');
  return repaired;
}

function refuse(
  name: string,
  issues: readonly CheckIssue[],
  warnings: readonly CheckIssue[],
): CheckResult<never> {
  const lines = issues.map((issue) => issue.message);
  const [only] = lines;
  const isUnknown = issues[0]?.code === 'unknown-tool';
  const list = lines.map((line) => `- ${line}`).join('\n');
  const message =
    isUnknown && only !== undefined ? only : `the arguments of ${name} do not fit:\n${list}`;
  return { ok: false, issues, message, warnings };
}
