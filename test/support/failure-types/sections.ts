import { ADVICE_MAP, Advisor, classify, FAILURE_TYPES, TYPE_OF_CLASS } from '@holdfast/core/advise';
import type { AdvisedCall, FailureType, ToolResult } from '@holdfast/core/advise';
import { FAILURE_RULES } from '@holdfast/core/guard';
import type { FailureClass } from '@holdfast/core/guard';
import { isCounted } from '../../../packages/core/src/advise/is-counted.ts';
import { classOfArrival } from './arrival.ts';
import { FAILURE_EXAMPLES } from './examples.ts';
import { signalRows } from './signal-rows.ts';
import { inCode, table, yesNo } from './table.ts';

export const TYPES = Object.keys(FAILURE_TYPES) as readonly FailureType[];

const link = (type: string): string => `[${type}](${type}.md)`;

/** The parts of a page that repeat the code, by the name in the comment they stand under. */
export const SECTIONS: Readonly<Record<string, (type: FailureType) => Promise<string> | string>> = {
  facts,
  signals: (type) => table(['who says so', 'what'], signalRows(type)),
  examples,
  circuits,
  advice,
};

function facts(type: FailureType): string {
  const { parent, retryable, isNeutral } = FAILURE_TYPES[type];
  const finer = TYPES.filter((one) => one !== type && FAILURE_TYPES[one].parent === type);
  const above = parent === type ? 'none: it is one of the eight' : parent && link(parent);
  return table(
    ['question', 'answer'],
    [
      ['what it is', FAILURE_EXAMPLES[type].means],
      ['which type is above it?', above ?? 'none: it is no failure'],
      ...(finer.length > 0 ? [['which types are under it?', finer.map(link).join(', ')]] : []),
      ['may the same call succeed later, unchanged?', yesNo(retryable)],
      ['does the advisor count it against the tool?', yesNo(countsForAdvisor(type))],
      ...(isNeutral ? [['what is the status of `classify`?', '`neutral`']] : []),
    ],
  );
}

/** As the advisor itself sees the examples. */
function countsForAdvisor(type: FailureType): boolean {
  return FAILURE_EXAMPLES[type].results.every((result) => isCounted(classify(result)));
}

function examples(type: FailureType): string {
  const rows = FAILURE_EXAMPLES[type].results.map((result) => {
    const found = classify(result);
    if (found.type !== type)
      throw new Error(`an example of ${type} is ${found.type}: ${JSON.stringify(result)}`);
    return [inCode(result.tool), shownOutput(result), hostSays(result), String(found.confidence)];
  });
  return table(['tool', 'what came back', 'what the host says', 'confidence'], rows);
}

const shownOutput = ({ output = '' }: ToolResult): string =>
  output === '' ? 'nothing' : inCode(output.replaceAll('\n', '⏎'));

function hostSays({ notRun, failureClass, isError, exitCode, signal, status }: ToolResult): string {
  if (notRun !== undefined) return `\`notRun: '${notRun}'\``;
  if (failureClass !== undefined) return `\`failureClass: '${failureClass}'\``;
  if (isError !== undefined) return isError ? 'error' : 'no error';
  if (exitCode !== undefined) return `exit code ${exitCode}`;
  if (signal !== undefined) return signal;
  return status === undefined ? 'nothing' : `HTTP ${status}`;
}

async function circuits(type: FailureType): Promise<string> {
  const rows: string[][] = [];
  for (const arrival of FAILURE_EXAMPLES[type].arrivals) {
    const name = await classOfArrival(arrival);
    const { counts, retryable } = FAILURE_RULES[name];
    rows.push([arrival.as, inCode(name), yesNo(counts), yesNo(retryable)]);
  }
  const own = (Object.keys(TYPE_OF_CLASS) as FailureClass[]).filter(
    (name) => TYPE_OF_CLASS[name] === type,
  );
  const said = own.map((name) => `\`${name}\`: ${FAILURE_RULES[name].say}`);
  return [
    table(['it arrives as', 'class', 'counts', 'retried'], rows),
    ...said.map((line) => `\n> ${line}`),
  ].join('\n');
}

/** What an advisor says after the second failure in a row, of a shell and of another tool. */
function advice(type: FailureType): string {
  const { results } = FAILURE_EXAMPLES[type];
  const isShell = ({ tool }: ToolResult): boolean => tool === 'bash';
  const chosen = [results.find(isShell), results.find((result) => !isShell(result))];
  const texts = chosen.flatMap((result) => (result === undefined ? [] : [adviceFor(result)]));
  const spoken = texts.filter((text) => text !== undefined);
  if (spoken.length > 0) return spoken.map((text) => `> ${text}`).join('\n\n');
  const entry = ADVICE_MAP.find((one) => one.type === type);
  const kept =
    entry === undefined
      ? ''
      : ` The map has a text for hosts that look it up themselves:\n\n> ${entry.text}`;
  return `Nothing on account of it.${kept}`;
}

/** Two calls with different arguments that ended the same way. */
function adviceFor(result: ToolResult): string | undefined {
  const advisor = new Advisor({ toolNames: ['search', 'read_file', 'bash'] });
  const call = (nr: number): AdvisedCall => ({ tool: result.tool, arguments: { nr } });
  advisor.after(call(1), result);
  return advisor.after(call(2), result).advice?.text;
}

/** The parts of the page that lists them all. */
export const INDEX_SECTIONS: Readonly<Record<string, () => string>> = { types, classes };

function types(): string {
  const rows = TYPES.map((type) => {
    const { parent, retryable } = FAILURE_TYPES[type];
    const above = parent === undefined ? 'none' : parent === type ? '' : link(parent);
    const counts = yesNo(countsForAdvisor(type));
    return [link(type), above, FAILURE_EXAMPLES[type].means, yesNo(retryable), counts];
  });
  return table(
    ['type', 'under', 'what it is', 'may pass by itself', 'the advisor counts it'],
    rows,
  );
}

function classes(): string {
  const rows = (Object.keys(FAILURE_RULES) as FailureClass[]).map((name) => {
    const { counts, retryable } = FAILURE_RULES[name];
    return [inCode(name), link(TYPE_OF_CLASS[name]), yesNo(counts), yesNo(retryable)];
  });
  return table(['class', 'type', 'counts for circuits', 'retried'], rows);
}
