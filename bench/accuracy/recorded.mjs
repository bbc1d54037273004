import { describeRun } from '../harness/results.mjs';
import { formatSection, keep } from './keep.mjs';
import { measureRecordedCalls } from './recorded/calls.mjs';
import { measureRecordedJson } from './recorded/json.mjs';
import { readRecorded } from './recorded/layout.mjs';
import { measureRecordedSteps } from './recorded/steps.mjs';

/** What a folder of recorded output adds; kinds that it does not have are omitted. */
function measure({ calls, json, steps, tools }) {
  return [
    ...(calls.length > 0 ? [measureRecordedCalls(calls, tools)] : []),
    ...(json.length > 0 ? [measureRecordedJson(json)] : []),
    ...(steps.length > 0 ? [measureRecordedSteps(steps)] : []),
  ];
}

const [folder, ...options] = process.argv.slice(2);
try {
  const sections = measure(readRecorded(folder));
  for (const section of sections) console.log(`${formatSection(section)}\n`);
  if (options.includes('--write')) {
    const { date, node, commit } = describeRun();
    console.log(`kept in ${keep('recorded', { date, node, commit }, sections)}`);
  }
} catch (error) {
  console.error(error.message);
  process.exitCode = 2;
}
