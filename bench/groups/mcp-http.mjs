import { connectHttp, eras } from '../mcp/connect.mjs';
import { overHttp } from '../mcp/contestants.mjs';
import {
  callFigures,
  callsTable,
  closeAll,
  contestant,
  HOLDFAST,
  named,
  numbersOf,
  takeTurns,
} from '../mcp/take-turns.mjs';

export const about =
  "Calls of an echo tool by the SDK's client over Streamable HTTP, in both eras of the protocol: a server of the SDK alone, and the stdio server behind the newest mcp-proxy and behind `holdfast mcp --listen`. Each is a process of its own; they take turns, and the best turn of each counts, as in `mcp`. Budget: more calls than mcp-proxy, one by one and with 32 in flight.";

/** Over HTTP a call takes several times as long as over stdio. */
const TURN = { oneByOne: 30, atOnce: 128, warmUp: 300 };
const PEER = 'mcp-proxy';

function judge(targets) {
  const ours = named(targets, HOLDFAST);
  const theirs = named(targets, PEER);
  return {
    'mcp-http': ours.oneByOne.best > theirs.oneByOne.best && ours.atOnce.best > theirs.atOnce.best,
  };
}

async function measure(era, turns) {
  const targets = [];
  const servers = [];
  try {
    for (const [name, start] of Object.entries(overHttp)) {
      const server = await start();
      servers.push(server);
      targets.push(contestant({ name, ...(await connectHttp(server.url, era)) }));
    }
    await takeTurns(targets, TURN, turns, (all) => judge(all)['mcp-http']);
    return targets;
  } finally {
    await closeAll(targets);
    for (const { stop } of servers) stop();
  }
}

/** `turns` may be fewer, to see whether it works at all. */
export async function run({ turns = 30 } = {}) {
  const http = {};
  for (const era of Object.keys(eras)) http[era] = await measure(era, turns);
  const all = Object.entries(http);
  return {
    tables: all.map(([era, targets]) =>
      callsTable({
        title: `Over Streamable HTTP, ${era}`,
        targets,
        peers: [PEER],
        limit: `> ${PEER}`,
        judge,
      }),
    ),
    figures: all.flatMap(([era, targets]) => callFigures('HTTP', era, targets)),
    results: Object.fromEntries(all.map(([era, targets]) => [era, numbersOf(targets)])),
  };
}
