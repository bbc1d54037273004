import type { Verdict } from './doctor-report.ts';

const FOUND = 'a model server answers at ';

/** What to run next, ready to paste. Keys are not in it. */
export function nextCommands(about: {
  readonly verdict: Verdict;
  readonly url: string;
  readonly model: string | undefined;
  readonly hasKey: boolean;
  readonly hints: readonly string[];
}): readonly string[] {
  const { verdict, url, model, hasKey, hints } = about;
  if (verdict === 'unreachable' || verdict === 'refused') {
    const found = hints.find((hint) => hint.startsWith(FOUND))?.slice(FOUND.length);
    return [`holdfast doctor --upstream ${found ?? url}`];
  }
  const named = model === undefined ? '' : ` --model ${quote(model)}`;
  const key = hasKey ? 'HOLDFAST_API_KEY=… ' : '';
  return [
    `${key}holdfast proxy --upstream ${url}${named}`,
    'ANTHROPIC_BASE_URL=http://127.0.0.1:8787 ANTHROPIC_AUTH_TOKEN=any claude',
    'OPENAI_BASE_URL=http://127.0.0.1:8787/v1 OPENAI_API_KEY=any node agent.mjs',
  ];
}

function quote(text: string): string {
  return /^[\w./:@+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
