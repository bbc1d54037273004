import type { Untyped } from '../../internal/schema-values.ts';
import type { OfferedTools } from '../offered-tools.ts';
import { checkSpelling } from './check-spelling.ts';
import { jsonText } from './json-text.ts';
import { PLAIN_NAME } from './plain-name.ts';
import type { RenderableCall } from './render-dialect.ts';
import { textParameters } from './text-parameters.ts';
import type { TextParameter } from './text-parameters.ts';

/** `<wrapper><invoke name="f"><parameter name="k">v</parameter></invoke></wrapper>`, by its tags. */
export interface InvokeMarkup {
  readonly format: string;
  readonly wrapper: string;
  readonly invoke: string;
  readonly parameter: string;
  readonly untyped: Untyped | 'marked';
  /** What a parameter's tag says besides its name. @defaultValue nothing */
  readonly attributes?: (parameter: TextParameter) => string;
  /** What else cannot stand in a value. */
  readonly markers?: readonly string[];
}

/** All calls in one block. */
export function invokeBlock(
  calls: readonly RenderableCall[],
  markup: InvokeMarkup,
  tools?: OfferedTools,
): string {
  const { format, wrapper, invoke } = markup;
  const invokes = calls.map((call) => {
    checkSpelling(format, call.name, PLAIN_NAME);
    return `<${invoke} name="${call.name}">\n${bodyOf(call, markup, tools)}</${invoke}>\n`;
  });
  return `<${wrapper}>\n${invokes.join('')}</${wrapper}>`;
}

/** What cannot be written as text is written as JSON, which the parsers read in place of parameters. */
function bodyOf(
  call: RenderableCall,
  markup: InvokeMarkup,
  tools: OfferedTools | undefined,
): string {
  const { parameter, untyped, attributes } = markup;
  const elements = [markup.wrapper, markup.invoke, parameter];
  const markers = [
    ...elements.flatMap((element) => [`<${element}`, `</${element}`]),
    ...(markup.markers ?? []),
  ];
  const parameters = textParameters(call, { key: PLAIN_NAME, untyped, markers }, tools);
  if (typeof parameters === 'string') return `${jsonText(call.arguments, markers)}\n`;
  const written = parameters.map((one) => {
    const more = attributes?.(one) ?? '';
    return `<${parameter} name="${one.key}"${more}>${one.text}</${parameter}>\n`;
  });
  return written.join('');
}
