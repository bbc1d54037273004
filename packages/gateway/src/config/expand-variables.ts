/** A text with its variables filled in, or what is wrong with one of them. */
export type ExpandedText =
  | { readonly ok: true; readonly text: string; readonly expanded: boolean }
  | { readonly ok: false; readonly problem: string };

/** Where variables come from; only the command line knows the real ones. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Fills in `${NAME}` and `${NAME:-default}`; the default holds where the variable is not set or empty. `$${`
 * stands for `${`. What is filled in is not looked through again.
 */
export function expandVariables(text: string, env: Environment): ExpandedText {
  let out = '';
  let at = 0;
  let expanded = false;
  for (;;) {
    const open = text.indexOf('${', at);
    if (open < 0) return { ok: true, text: out + text.slice(at), expanded };
    if (open > at && text[open - 1] === '$') {
      out += `${text.slice(at, open - 1)}\${`;
      at = open + 2;
      continue;
    }
    const close = text.indexOf('}', open);
    const written = close < 0 ? text.slice(open) : text.slice(open, close + 1);
    const variable = readVariable(written);
    if (variable === undefined) {
      return {
        ok: false,
        problem: `expected \${NAME} or \${NAME:-default}, or $\${ for a plain \${, got ${written}`,
      };
    }
    const { name, fallback } = variable;
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    if (value === undefined && fallback === undefined) {
      return {
        ok: false,
        problem: `the environment variable ${name} is not set; set it, or write \${${name}:-} for nothing`,
      };
    }
    const filled = value === undefined || value === '' ? (fallback ?? '') : value;
    out += text.slice(at, open) + filled;
    at = close + 1;
    expanded = true;
  }
}

function readVariable(written: string): { name: string; fallback: string | undefined } | undefined {
  const groups = /^\$\{(?<name>[a-z_]\w*)(?::-(?<fallback>[^}]*))?\}$/i.exec(written)?.groups;
  return groups && { name: groups['name'] ?? '', fallback: groups['fallback'] };
}
