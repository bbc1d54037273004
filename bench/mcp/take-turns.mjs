import { Turns } from '../harness/turns.mjs';
import { figure, OURS } from '../harness/figures.mjs';
import { digits, spread, times } from '../harness/table.mjs';
import { callAtOnce, callOneByOne } from './calls.mjs';

export const IN_FLIGHT = 32;
export const HOLDFAST = 'Holdfast';

/** A contestant that is connected, with all its turns. */
export function contestant(target) {
  return {
    ...target,
    p50: new Turns(),
    oneByOne: new Turns({ isRate: true }),
    atOnce: new Turns({ isRate: true }),
  };
}

async function playTurn(target, turn) {
  const { p50, perSecond } = await callOneByOne(target.client, turn.oneByOne);
  target.p50.add(p50);
  target.oneByOne.add(perSecond);
  target.atOnce.add(await callAtOnce(target.client, turn.atOnce, IN_FLIGHT));
}

/** At least `turns` each, and up to four times as many while a budget looks missed: the best can only get better. */
export async function takeTurns(targets, turn, turns, isMet) {
  for (const { client } of targets) await callAtOnce(client, turn.warmUp, IN_FLIGHT);
  for (let round = 0; round < turns || (round < turns * 4 && !isMet(targets)); round++)
    for (let at = 0; at < targets.length; at++)
      await playTurn(targets[(at + round) % targets.length], turn);
}

export const named = (targets, name) => targets.find((target) => target.name === name);

export async function closeAll(targets) {
  await Promise.all(targets.map(({ close }) => close()));
}

/** `judge` says which budgets the calls of Holdfast meet. */
export function callsTable({ title, targets, peers, limit, judge }) {
  const direct = named(targets, 'direct');
  const shares = (target, what) =>
    peers.map((peer) => times(target[what].best / named(targets, peer)[what].best));
  return {
    title,
    columns: [
      'through',
      'p50 ms',
      'spread',
      'added ms',
      'calls / s, one by one',
      'spread',
      ...peers.map((peer) => `of ${peer}`),
      `calls / s, ${IN_FLIGHT} in flight`,
      'spread',
      ...peers.map((peer) => `of ${peer}`),
      'of direct',
      'limit',
    ],
    rows: targets.map((target) => ({
      cells: [
        target.name,
        digits(target.p50.best),
        spread(target.p50),
        target === direct ? '' : digits(target.p50.best - direct.p50.best),
        digits(target.oneByOne.best),
        spread(target.oneByOne),
        ...shares(target, 'oneByOne'),
        digits(target.atOnce.best),
        spread(target.atOnce),
        ...shares(target, 'atOnce'),
        times(target.atOnce.best / direct.atOnce.best),
        target.name === HOLDFAST ? limit : '',
      ],
      ...(target.name === HOLDFAST && { budgets: judge(targets) }),
    })),
  };
}

export function callFigures(transport, era, targets) {
  return targets.flatMap(({ name, p50, oneByOne, atOnce }) => {
    const of = name === HOLDFAST ? OURS : name;
    const what = `${transport}, ${era}`;
    return [
      figure(`${what}, a call`, of, 'ms', p50.best, p50.p90),
      figure(`${what}, one by one`, of, 'calls/s', oneByOne.best, oneByOne.p90),
      figure(`${what}, ${IN_FLIGHT} in flight`, of, 'calls/s', atOnce.best, atOnce.p90),
    ];
  });
}

export const numbersOf = (targets) =>
  targets.map(({ name, p50, oneByOne, atOnce }) => ({ name, p50, oneByOne, atOnce }));
