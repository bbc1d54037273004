import { createToolCallStream } from '../core.mjs';
import { writeProse } from '../data/prose.mjs';
import { alternate } from '../harness/alternate.mjs';
import { clockFigure, OURS } from '../harness/figures.mjs';
import { chunksOf } from '../harness/flat.mjs';
import { digits, mark, spreadOf } from '../harness/table.mjs';

export const about =
  '1 MB of text without a call through `createToolCallStream` in chunks of 4 KB, with a consumer that takes every event. Budget: 200 MB/s on plain prose. The search beside it is the least any reader can do: one native search per chunk for a character that could begin a call.';

const BUDGET_MB_PER_SECOND = 200;
const CHARACTERS = 1_000_000;

const texts = {
  'plain prose': { kind: 'plain', budget: BUDGET_MB_PER_SECOND },
  'prose with foreign letters': { kind: 'foreign' },
  'prose with code, brackets and fences': { kind: 'code' },
};

function streamThrough(chunks) {
  let told = 0;
  const stream = createToolCallStream({
    onEvent: (event) => {
      told += event.type === 'text-delta' ? event.text.length : 0;
    },
  });
  for (const chunk of chunks) stream.feed(chunk);
  stream.end();
  return told;
}

function searchOnly(chunks) {
  const openers = /[<[{`]/g;
  let found = 0;
  for (const chunk of chunks) {
    openers.lastIndex = 0;
    while (openers.test(chunk)) found++;
  }
  return found;
}

export function run() {
  const results = {};
  const figures = [];
  const rows = Object.entries(texts).map(([name, { kind, budget }]) => {
    const text = writeProse(3, CHARACTERS, kind);
    const bytes = Buffer.byteLength(text);
    const chunks = chunksOf(text, 4096);
    const speed = (result) => bytes / result.min;
    const measured = alternate(
      [
        { name: 'ours', run: () => streamThrough(chunks), isRight: (told) => told === text.length },
        { name: 'search', run: () => searchOnly(chunks) },
      ],
      { settled: (now) => budget === undefined || speed(now.ours) >= budget },
    );
    results[name] = measured;
    figures.push(clockFigure(name, OURS, measured.ours));
    figures.push(clockFigure(name, 'search', measured.search));
    return {
      cells: [
        name,
        mark(measured.ours, digits(speed(measured.ours))),
        digits(measured.ours.min / 1000),
        spreadOf(measured.ours),
        digits(speed(measured.search)),
        budget === undefined ? '' : `≥ ${budget} MB/s`,
      ],
      ...(budget && {
        budgets: { prose: measured.ours.isRight && speed(measured.ours) >= budget },
      }),
    };
  });
  const columns = ['text', 'ours MB/s', 'ours ms', 'spread', 'search MB/s', 'limit'];
  return { tables: [{ title: 'Prose, streamed', columns, rows }], figures, results };
}
