import { isSecretName } from './secret-names.ts';

/** The name of an option, a variable or a header in front of its value: `--api-key=…`, `API_KEY=…`, `X-Api-Key: …`. */
const NAMED = /^-{0,2}([\w.-]{1,64})(?:=|: ?)(\S.*)$/s;
const OPTION = /^-{1,2}([\w.-]{1,64})$/;

/**
 * The secrets among the arguments that a program is started with: what stands behind a name that says so, be it in
 * the same argument or in the next.
 */
export function secretsInArgs(args: readonly string[]): string[] {
  return args.flatMap((arg, at) => {
    const [, name = '', value = ''] = NAMED.exec(arg) ?? [];
    if (isSecretName(name)) return withoutScheme(value);
    const option = OPTION.exec(args[at - 1] ?? '')?.[1];
    return option !== undefined && isSecretName(option) ? withoutScheme(arg) : [];
  });
}

/** A value, and what follows `Bearer` or the like in front of it. */
export function withoutScheme(value: string): string[] {
  return [value, value.slice(value.indexOf(' ') + 1)];
}
