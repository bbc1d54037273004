import type { Environment, ExpandedText } from '../config/expand-variables.ts';
import { quoteText } from '../proxy/json/quote-text.ts';

/** A text whose templates are set aside, and what puts them into the values that are read from it. */
export interface SetAside {
  /** Each template is a word of the same length, so that places in the text stay true. */
  readonly text: string;
  /** Fills the templates of one value in. */
  readonly expand: (value: string, env: Environment) => ExpandedText;
}

/** Characters of the private area: no file has them, and to YAML they are letters. */
const OPEN = '\uE000';
const CLOSE = '\uE001';

/**
 * Sets `{{ … }}` aside before YAML is read: without quotes it is no YAML, and what a variable holds can so become
 * no more than a value. Templates in comments are never looked at.
 */
export function setTemplatesAside(text: string): SetAside {
  const templates: string[] = [];
  let aside = '';
  let at = 0;
  for (;;) {
    const open = text.indexOf('{{', at);
    const close = open < 0 ? -1 : text.indexOf('}}', open);
    if (close < 0) break;
    const source = text.slice(open + 2, close);
    // A template ends on its line; else one brace too many would swallow the file.
    if (source.includes('\n')) {
      aside += text.slice(at, open + 2);
      at = open + 2;
      continue;
    }
    const number = String(templates.push(source.trim()) - 1);
    aside += text.slice(at, open) + OPEN + number.padStart(source.length + 2, '0') + CLOSE;
    at = close + 2;
  }
  return { text: aside + text.slice(at), expand: (value, env) => expand(value, templates, env) };
}

function expand(value: string, templates: readonly string[], env: Environment): ExpandedText {
  const [before = '', ...rest] = value.split(OPEN);
  let text = before;
  for (const piece of rest) {
    const close = piece.indexOf(CLOSE);
    const source = templates[Number(piece.slice(0, close))] ?? '';
    const filled = fill(source, env);
    if (typeof filled !== 'string') return { ok: false, problem: filled.problem };
    text += filled + piece.slice(close + 1);
  }
  return { ok: true, text, expanded: rest.length > 0 };
}

interface Problem {
  readonly problem: string;
}

function fill(source: string, env: Environment): string | Problem {
  const pipe = source.indexOf('|');
  const variable = (pipe < 0 ? source : source.slice(0, pipe)).trim();
  const name = /^env\.([a-z_]\w*)$/i.exec(variable)?.[1];
  const fallback = pipe < 0 ? undefined : insideDefault(source.slice(pipe + 1).trim());
  if (name === undefined || (pipe >= 0 && fallback === undefined)) {
    const expected = "{{ env.NAME }} or {{ env.NAME | default('text') }}";
    return { problem: `expected ${expected}, got ${quoteText(`{{ ${source} }}`)}` };
  }
  const value = env[name];
  if (value !== undefined) return value;
  if (fallback !== undefined) return literalOf(fallback) ?? fill(fallback, env);
  return {
    problem: `${name} is not set; set it, or write {{ env.${name} | default('…') }}`,
  };
}

/** What stands between the parentheses of `default(…)`. */
function insideDefault(filter: string): string | undefined {
  if (!filter.startsWith('default') || !filter.endsWith(')')) return undefined;
  const call = filter.slice('default'.length).trimStart();
  return call.startsWith('(') ? call.slice(1, -1).trim() : undefined;
}

function literalOf(written: string): string | undefined {
  if (/^(?:-?\d+(?:\.\d+)?|true|false)$/.test(written)) return written;
  const quote = written[0];
  const inside = written.slice(1, -1);
  const isQuoted = (quote === '"' || quote === "'") && written.length > 1;
  return isQuoted && written.endsWith(quote) && !inside.includes(quote) ? inside : undefined;
}
