/** What is wrong with a configuration, and where. */
export interface ConfigProblem {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly column: number;
  /** Such as `upstreams[0].url`; '' for the file as a whole. */
  readonly path: string;
  /** What was expected and what arrived; never a secret. */
  readonly message: string;
}

/** One line for people, which many editors and terminals can follow to the place. */
export function formatConfigProblem({ file, line, column, path, message }: ConfigProblem): string {
  return `${file}:${line}:${column}: ${path === '' ? '' : `${path}: `}${message}`;
}

/** `['upstreams', 0, 'url']` as `upstreams[0].url`. */
export function formatConfigPath(path: readonly PropertyKey[]): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else if (!/^\w+$/.test(String(step))) text += `[${JSON.stringify(String(step))}]`;
    else text += text === '' ? String(step) : `.${String(step)}`;
  }
  return text;
}
