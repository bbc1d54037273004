import { safeJson, safeLine, safeText } from '../cli/safe-text.ts';
import type { Styles } from '../cli/style.ts';
import type { DoctorReport, Probe } from './doctor-report.ts';

/** A report for people. */
export function formatReport(report: DoctorReport, styles: Styles): string {
  const { upstream, server, models, model, tried, summary, holdfast } = report;
  const listed = models.length === 0 ? '' : `, one of ${models.length}`;
  const lines = [
    ...row('Upstream', upstream),
    ...(server === undefined ? [] : row('Server', server)),
    ...(model === undefined ? [] : row('Model', `${model}${models.length > 1 ? listed : ''}`)),
    ...(report.protocols.length === 0 ? [] : row('Speaks', report.protocols.join(', '))),
    '',
    styles.bold('Tried'),
    ...tried.map(({ request, ok, outcome }) => {
      const mark = ok ? styles.green('ok') : styles.yellow('no');
      return `  ${mark}  ${safeLine(request)}\n      ${safeLine(outcome)}`;
    }),
    ...probeLines('Streamed', report.streamed, styles),
    ...probeLines('Whole', report.whole, styles),
    ...probeLines('Prompted', report.prompted, styles),
    '',
    styles.bold('Result'),
    `  ${safeLine(summary)}`,
    `  Holdfast ${safeLine(holdfast)}.`,
    ...section('Hints', report.hints, styles),
    ...section('Go on with', report.commands, styles),
  ];
  return `${lines.join('\n')}\n`;

  function row(label: string, text: string): string[] {
    return [`${styles.bold(label.padEnd(9))} ${safeLine(text)}`];
  }
}

function section(title: string, lines: readonly string[], styles: Styles): string[] {
  if (lines.length === 0) return [];
  return ['', styles.bold(title), ...lines.map((line) => `  ${safeLine(line)}`)];
}

function probeLines(title: string, probe: Probe | undefined, styles: Styles): string[] {
  if (probe === undefined) return [];
  const { readBy, calls, isValid, mended, finishReason, text } = probe;
  const lines = calls.map((call) => {
    const by = call.format === 'native' ? 'read by the server' : `text, ${call.format}`;
    const repairs = call.repairs.length === 0 ? '' : `, repaired: ${call.repairs.join(', ')}`;
    const fits = isValid ? ', complete and valid' : ', does not fit the tool';
    return `${safeLine(call.name)} ${safeJson(call.arguments)}  ${styles.dim(`[${by}${fits}${repairs}]`)}`;
  });
  if (calls.length === 0) lines.push('no call');
  if (mended.length > 0) lines.push(`set right: ${mended.join(', ')}`);
  lines.push(styles.dim(`finish reason: ${finishReason ?? 'none'}`));
  if (readBy !== 'server' && text.trim() !== '') {
    const quoted = safeText(text).trim().split('\n');
    lines.push(...quoted.map((line) => `${styles.dim('│')} ${line}`.trimEnd()));
  }
  return section(title, [], styles).concat(
    '',
    styles.bold(title),
    lines.map((line) => `  ${line}`),
  );
}
