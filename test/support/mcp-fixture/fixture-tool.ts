import type {
  CallToolResult,
  InputRequiredResult,
  RequestStateCodec,
  ServerContext,
  ToolAnnotations,
} from '@modelcontextprotocol/server';
import type { FixtureChanges } from './fixture-changes.ts';

/** A tool of the fixture server. */
export interface FixtureTool {
  readonly name: string;
  readonly description: string;
  /** @defaultValue an object without properties */
  readonly inputSchema?: Readonly<Record<string, unknown>>;
  readonly annotations?: ToolAnnotations;
  run(call: FixtureCall): ToolAnswer | Promise<ToolAnswer>;
}

/** What a tool answers: a result, or questions for the client first. */
export type ToolAnswer = CallToolResult | InputRequiredResult;

/** What a tool gets to know of its call. */
export interface FixtureCall {
  readonly args: Readonly<Record<string, unknown>>;
  readonly context: ServerContext;
  readonly changes: FixtureChanges;
  /** Signs what travels through the client between two rounds of one call. */
  readonly states: RequestStateCodec<FixtureState>;
}

/** What a call remembers from one round to the next. */
export interface FixtureState {
  readonly round: number;
}

/** A result of one text. */
export const textResult = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });

/** A schema of an object with these properties, all of them required. */
export const objectSchema = (
  properties: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
});
