import { OURS } from '../harness/figures.mjs';
import { digits } from '../harness/table.mjs';
import { barChart } from './bar-chart.mjs';
import { lineChart } from './line-chart.mjs';

/** The plots that a run has the figures for, each `{ file, svg }`. */
export function drawPlots(run) {
  const plots = {
    parse: drawParse,
    streaming: drawStreaming,
    guard: drawGuard,
    throughput: drawThroughput,
  };
  return Object.entries(plots).flatMap(([name, draw]) => {
    const svg = draw(run);
    return svg === undefined ? [] : [{ file: `bench-${name}.svg`, svg }];
  });
}

/** The figures of a group; of one with peers that want a newer Node, those measured there. */
function figuresOf({ groups }, wanted) {
  const runs = groups.filter(({ group }) => group === wanted);
  return runs.at(-1)?.figures;
}

const called = (of, peers = {}) => {
  const version = peers[of]?.at(-1);
  return of === OURS ? 'Holdfast' : version === undefined ? of : `${of} ${version}`;
};

const told = (value, unit) => `${digits(value)} ${unit}`.trim();

/** One bar for each figure of that name, the best first unless told otherwise. */
function barsOf(figures, name, unit, { peers = {}, floor = [], isWanted = () => true } = {}) {
  return figures
    .filter((figure) => figure.name === name && isWanted(figure))
    .map(({ of, best }) => ({
      label: called(of, peers),
      value: best,
      told: told(best, unit),
      kind: of === OURS ? 'ours' : floor.includes(of) ? 'floor' : 'peer',
    }));
}

/** What the picture shows, for those who do not see it. */
const inWords = (groups) =>
  groups
    .map(({ heading, bars }) => {
      const all = bars.map(({ label, told: value }) => `${label} ${value}`);
      return `${heading}: ${all.join(', ')}.`;
    })
    .join(' ');

const when = ({ date, machine, node }) => `${date}, Node ${node.slice(1)}, ${machine}`;

function drawParse(run) {
  const figures = figuresOf(run, 'hermes-141b');
  if (figures === undefined) return undefined;
  const floor = ['tag and JSON.parse'];
  const options = { peers: run.peers, floor };
  const groups = ['141 B', '2 KB', '100 KB'].map((size) => ({
    heading: `A Hermes call of ${size}, whole`,
    bars: barsOf(figures, `${size}, whole`, 'µs', options),
  }));
  return barChart({
    title: 'Time to read one tool call',
    alt: `Shorter is better. ${inWords(groups)}`,
    notes: [
      'Shorter is better; each tenfold has the same width. Holdfast looks for every dialect, the others for this one.',
      when(run),
    ],
    groups,
    isLog: true,
  });
}

function drawStreaming(run) {
  const figures = figuresOf(run, 'argument-100kb-drip');
  if (figures === undefined) return undefined;
  const sizes = ['1 KB', '10 KB', '100 KB', '1 MB'];
  const names = [
    ...new Set(figures.filter(({ name }) => name.endsWith('in chunks of 4')).map(({ of }) => of)),
  ];
  const series = names.map((of) => ({
    label: called(of, run.peers),
    kind: of === OURS ? 'ours' : of.startsWith('partial-json') ? 'floor' : 'peer',
    points: sizes.map(
      (size) => figures.find((one) => one.of === of && one.name === `${size} in chunks of 4`)?.best,
    ),
  }));
  const words = series.map(({ label, points }) => {
    const all = points.flatMap((value, at) =>
      value === undefined ? [] : [`${digits(value)} ms at ${sizes[at]}`],
    );
    return `${label}: ${all.join(', ')}.`;
  });
  return lineChart({
    title: 'One argument, streamed in chunks of 4 characters',
    alt: `Lower is better. ${words.join(' ')}`,
    notes: [`Lower is better; both axes by tenfolds. ${when(run)}`],
    sizes,
    series,
    unit: 'ms',
  });
}

function drawGuard(run) {
  const closed = figuresOf(run, 'guard-closed');
  const retry = figuresOf(run, 'guard-retry');
  if (closed === undefined || retry === undefined) return undefined;
  const groups = [
    guardGroup('Timeout, breaker and retry', closed, 'timeout, breaker and retry', [
      'Executor.run',
    ]),
    guardGroup('Breaker alone', closed, 'breaker alone', ['CircuitBreaker.call']),
    guardGroup('Retry alone', retry, 'Retry, succeeds at once', ['Executor.call', 'withRetry']),
  ];
  const node = run.groups.findLast(({ group }) => group === 'guard-closed').node.slice(1);
  return barChart({
    title: 'What a guard adds to a call that succeeds at once',
    alt: `Microseconds of the processor over a bare await; shorter is better. ${inWords(groups)}`,
    notes: [
      'Microseconds of the processor over a bare await; shorter is better, each tenfold has the same width.',
      `${run.date}, Node ${node}, ${run.machine}`,
    ],
    groups,
    isLog: true,
  });
}

/** What of ours was called, which ends the name of a figure. */
const howOf = (name) => name.split(', ').at(-1);

/** Of every library its figures, less what a bare await costs. */
function guardGroup(heading, figures, what, ours) {
  const inContest = figures.filter(({ name }) => name === what || name.startsWith(`${what}, `));
  const bare = inContest.find(({ of }) => of === 'bare await');
  const bars = inContest
    .filter(({ of, name }) => of !== bare.of && (of !== OURS || ours.includes(howOf(name))))
    .map(({ of, name, best }) => ({
      label: of === OURS ? `Holdfast ${howOf(name)}` : of,
      value: best - bare.best,
      told: told(best - bare.best, 'µs'),
      kind: of === OURS ? 'ours' : 'peer',
    }))
    .sort((one, other) => one.value - other.value);
  return { heading, bars };
}

function drawThroughput(run) {
  const proxy = figuresOf(run, 'proxy');
  const stdio = figuresOf(run, 'mcp');
  const http = figuresOf(run, 'mcp-http');
  if (proxy === undefined || stdio === undefined || http === undefined) return undefined;
  const peers = { Portkey: run.peers['@portkey-ai/gateway'], 'mcp-proxy': run.peers['mcp-proxy'] };
  const floor = ['no proxy', 'bare node:http relay', 'direct'];
  const options = { peers, floor };
  const groups = [
    {
      heading: 'Model proxy: streams of 100 chunks a second, 16 at a time',
      bars: barsOf(proxy, '100-chunk streams', '', options),
    },
    {
      heading: 'MCP over stdio: calls a second, 32 in flight',
      bars: barsOf(stdio, 'stdio, 2025-11-25, 32 in flight', '', options),
    },
    {
      heading: 'MCP over HTTP: calls a second, 32 in flight',
      bars: barsOf(http, 'HTTP, 2025-11-25, 32 in flight', '', options),
    },
  ];
  return barChart({
    title: 'What passes through in a second',
    alt: `Longer is better. ${inWords(groups)}`,
    notes: [`Longer is better. Each group has its own scale, from 0. ${when(run)}`],
    groups,
  });
}
