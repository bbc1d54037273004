import { readSet } from '../groups/repair-quality.mjs';

/** Our own broken JSON, in the shape of the JSON vectors. */
export function ownJson() {
  const lines = readSet(new URL('../data/malformed.jsonl', import.meta.url));
  return lines.map(({ kind, input, expected, also = [] }) => ({
    kind,
    input,
    accepted: [expected, ...also],
    expectsCall: true,
    isTruncated: kind === 'truncated',
  }));
}

/** The vectors of all files by what they are, each kind as `[file, vectors]`. */
export function vectorsOf(files) {
  const byShape = (shape) =>
    files
      .map(({ source, vectors }) => [source, vectors.filter((one) => one.shape === shape)])
      .filter(([, vectors]) => vectors.length > 0);
  return {
    calls: byShape('tool-call'),
    json: byShape('json'),
    values: byShape('value'),
    outcomes: byShape('outcome'),
  };
}
