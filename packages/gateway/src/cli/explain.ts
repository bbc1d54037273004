import type { ParseResult, ParseStep } from '@holdfast/core/parse';
import { describeCall } from './describe-call.ts';
import { safeLine, safeText } from './safe-text.ts';
import type { Styles } from './style.ts';
import { TextPosition } from './text-position.ts';

/** Why a text was read as it was: every parser tried, then what came of it. */
export function explain(text: string, result: ParseResult, styles: Styles): string {
  const positions = new TextPosition(text);
  const place = (offset: number): string => {
    const { line, column } = positions.at(offset);
    return `${line}:${column}`;
  };
  const calls = result.calls.flatMap((call, index) => {
    const { head, tag } = describeCall(call);
    return [`${index + 1}. ${head}`, styles.dim(`   ${tag}, id ${safeLine(call.id)}`)];
  });
  const issues = result.issues.map(
    ({ offset, code, message }) => `${place(offset)}  ${styles.yellow(code)}  ${safeLine(message)}`,
  );
  const markup = markupOf(result).map(({ offset, raw }) => `${place(offset)}  ${safeLine(raw)}`);
  return [
    ...section('Tried', tableOf(result.explanation ?? [], place, styles), styles),
    ...section('Calls', calls, styles),
    ...section('Text', quoted(result.text, styles), styles),
    ...section('Reasoning', quoted(result.reasoning, styles), styles),
    ...(markup.length === 0 ? [] : section('Markup', markup, styles)),
    ...section('Issues', issues, styles),
  ].join('\n');
}

/** The control tokens, which are neither text nor calls, with their places. */
function markupOf({ segments }: ParseResult): { offset: number; raw: string }[] {
  const found: { offset: number; raw: string }[] = [];
  let offset = 0;
  for (const { type, raw } of segments) {
    if (type === 'markup') found.push({ offset, raw });
    offset += raw.length;
  }
  return found;
}

function section(title: string, lines: readonly string[], styles: Styles): string[] {
  if (lines.length === 0) return [`${styles.bold(title)}: none`];
  return [styles.bold(title), ...lines.map((line) => `  ${line}`)];
}

function tableOf(
  steps: readonly ParseStep[],
  place: (offset: number) => string,
  styles: Styles,
): string[] {
  const rows = steps.map((step) => [
    place(step.offset),
    safeLine(step.parser),
    // Some formats look at whatever a text begins with.
    step.opening === '' ? '(start)' : safeLine(step.opening),
    step.decision.replaceAll('-', ' '),
  ]);
  const widths = [0, 1, 2, 3].map((column) =>
    rows.reduce((widest, row) => Math.max(widest, row[column]?.length ?? 0), 0),
  );
  return steps.map((step, index) => {
    const cells = (rows[index] ?? []).map((cell, column) => cell.padEnd(widths[column] ?? 0));
    const [at = '', parser = '', opening = '', decision = ''] = cells;
    const style = step.decision === 'call' ? styles.green : styles.dim;
    const repairs = step.repairs.length === 0 ? '' : ` (repaired: ${step.repairs.join(', ')})`;
    const why = safeLine(detailOf(step)) + styles.yellow(repairs);
    return `${styles.dim(at)}  ${parser}  ${opening}  ${style(decision)}  ${why}`;
  });
}

function detailOf({ decision, detail }: ParseStep): string {
  if (decision !== 'markup') return detail;
  return detail === 'reasoning' ? 'reasoning begins' : 'neither text nor call';
}

/** Text with a bar before each line, so that its ends and its blank lines can be seen. */
function quoted(text: string, styles: Styles): string[] {
  if (text === '') return [];
  return safeText(text)
    .split('\n')
    .map((line) => `${styles.dim('│')} ${line}`.trimEnd());
}
