import { Advisor, classify } from '../../../packages/core/dist/advise/index.js';
import { sumOf } from './figures.mjs';

const about =
  'Results of tools in the sessions of real agents. The classifier has the text, the tool and its arguments; the harness has its own flag or exit code, which decides what is a failure. Where a pipe or `|| true` hides the exit code, a failure that is read in the text counts as a false positive. Stuck: sessions that the harness had to stop; noticed: those in which the advisor, which has the flag too, spoke of a loop.';

const isLoop = ({ rule }) => /same|progress|cycle/.test(rule);
const isStepBack = ({ rule }) => rule === 'step-back';

export function measureRecordedSteps(sources) {
  const results = sources.map(({ source, rows }) => ({ source, ...countSource(rows()) }));
  results.push({ source: 'all', ...sumOf(results) });
  const verdicts = results.map((one) => ({
    cells: [
      one.source,
      ratio(one.hits, one.hits + one.falseAlarms),
      ratio(one.hits, one.hits + one.misses),
      one.hits,
      one.falseAlarms,
      one.misses,
      one.neutral,
    ],
  }));
  const loops = results.map((one) => ({
    cells: [
      one.source,
      one.sessions,
      one.stuck,
      one.noticed,
      `${one.loopAdvice} of ${one.others}`,
      one.stepBacks,
    ],
  }));
  const tables = [
    {
      title: 'Failures, by their text alone',
      columns: ['source', 'precision', 'recall', 'hits', 'false positives', 'misses', 'neutral'],
      rows: verdicts,
    },
    {
      title: 'Loops',
      columns: ['source', 'sessions', 'stuck', 'noticed', 'loop advice in others', 'step-back'],
      rows: loops,
    },
  ];
  return { id: 'recorded-steps', title: 'Results of tools', about, tables, results };
}

const ratio = (part, whole) => (part / (whole || 1)).toFixed(3);

function countSource(rows) {
  const sessions = new Map();
  for (const row of rows) {
    const known = sessions.get(row.session);
    if (known === undefined) sessions.set(row.session, [row]);
    else known.push(row);
  }
  return { ...countVerdicts(rows), ...countLoops([...sessions.values()]) };
}

function callOf({ tool, arguments: args }) {
  return { tool: tool ?? 'tool', arguments: typeof args === 'object' ? (args ?? {}) : {} };
}

function countVerdicts(rows) {
  const counts = { hits: 0, falseAlarms: 0, misses: 0, neutral: 0 };
  for (const row of rows) {
    if (row.is_error === null) continue;
    const { status } = classify({ ...callOf(row), output: row.result });
    const isFailure = status === 'failure';
    if (!row.is_error) counts.falseAlarms += Number(isFailure);
    else if (isFailure) counts.hits++;
    else if (status === 'neutral') counts.neutral++;
    else counts.misses++;
  }
  return counts;
}

function countLoops(sessions) {
  const counts = { sessions: 0, stuck: 0, noticed: 0, others: 0, loopAdvice: 0, stepBacks: 0 };
  for (const steps of sessions) {
    const parts = adviceIn(steps);
    const hasLoop = Number(parts.some(isLoop));
    const isStuck = steps.some(({ stuck }) => stuck);
    counts.sessions++;
    counts.stepBacks += Number(parts.some(isStepBack));
    counts[isStuck ? 'stuck' : 'others']++;
    counts[isStuck ? 'noticed' : 'loopAdvice'] += hasLoop;
  }
  return counts;
}

function adviceIn(steps) {
  const advisor = new Advisor();
  return steps.flatMap((row) => {
    const call = callOf(row);
    advisor.before(call);
    const result = { tool: call.tool, output: row.result, ...flagOf(row) };
    return advisor.after(call, result).advice?.parts ?? [];
  });
}

function flagOf({ exit_code: exitCode, is_error: isError }) {
  if (exitCode !== null) return { exitCode };
  return isError === null ? {} : { isError };
}
