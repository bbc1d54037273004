import { keptDigits } from '../../internal/exact-json.ts';
import { isEqualJson } from '../../internal/schema-equal.ts';
import type { Untyped } from '../../internal/schema-values.ts';
import type { OfferedTools } from '../offered-tools.ts';
import { parameterValue } from '../parameter-value.ts';
import { jsonText } from './json-text.ts';
import type { RenderableCall } from './render-dialect.ts';

/** How a dialect writes arguments as bare text. */
export interface TextDialect {
  /** The names of arguments it can spell. */
  readonly key: RegExp;
  /**
   * What a text is when no schema says what it should be, as the parser has it; `marked` where the dialect
   * itself says which values are strings.
   */
  readonly untyped: Untyped | 'marked';
  /** What cannot stand in a value: it would end there, or be read otherwise. */
  readonly markers: readonly string[];
  /** Which other texts would not read back as the same. @defaultValue none */
  readonly refuses?: (text: string) => boolean;
}

/** One argument, written. */
export interface TextParameter {
  readonly key: string;
  readonly text: string;
  readonly isString: boolean;
}

/**
 * The arguments of a call as texts: strings as they are, everything else as JSON. Returns why not where a
 * name cannot be spelt, or a text would end too early or, by the schemas of `tools`, mean something else.
 */
export function textParameters(
  call: RenderableCall,
  dialect: TextDialect,
  tools: OfferedTools | undefined,
): readonly TextParameter[] | string {
  const { key: spelling, untyped, markers, refuses } = dialect;
  const parameters: TextParameter[] = [];
  for (const [key, value] of Object.entries(call.arguments)) {
    const what = `the argument ${JSON.stringify(key)} of ${call.name}`;
    if (!spelling.test(key)) return `${what} has a name that cannot be spelt there`;
    const isString = typeof value === 'string';
    const digits = keptDigits(call.arguments, key);
    const text = isString ? value : (digits ?? jsonText(value, markers));
    const marker = markers.find((one) => text.includes(one));
    if (marker !== undefined) return `${what} contains ${marker}, and values have no escapes there`;
    const otherwise = untyped === 'marked' ? (isString ? 'text' : 'literal') : untyped;
    const readBack =
      tools === undefined ? value : parameterValue({ tools }, call.name, key, text, otherwise);
    // Where no schema says number, digits that a number cannot hold read back as a string of them.
    const isSame = isEqualJson(readBack, value) || (digits !== undefined && readBack === digits);
    if (refuses?.(text) === true || !isSame) return `${what} would be read as something else`;
    parameters.push({ key, text, isString });
  }
  return parameters;
}
