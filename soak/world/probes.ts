import type { Protocol } from '../../test/support/scripted-model.ts';
import { askAndJudge } from '../clients/agent.ts';
import { callTool } from '../clients/call-tool.ts';
import { isSuccess } from '../invariants/calls-complete.ts';
import type { World } from './world.ts';

let probes = 0;
const nextId = (): string => `p${++probes}`;

/** Every model that clients ask for, in a protocol in which they do. */
const EVERY_MODEL: readonly (readonly [Protocol, string])[] = [
  ['chat', 'alpha-1'],
  ['chat', 'alpha-2'],
  ['chat', 'beta-1'],
  ['messages', 'alpha-1'],
  ['messages', 'claude-1'],
  ['messages', 'claude-2'],
  ['responses', 'beta-1'],
  ['responses', 'resp-1'],
  ['responses', 'resp-2'],
];

/** Whether every model answers, streamed and whole. */
export async function modelsWork(world: World): Promise<boolean> {
  const works = EVERY_MODEL.flatMap(([protocol, model]) =>
    [true, false].map((isStream) => modelWorks(world, protocol, model, isStream)),
  );
  return (await Promise.all(works)).every((isWell) => isWell);
}

async function modelWorks(
  world: World,
  protocol: Protocol,
  model: string,
  isStream: boolean,
): Promise<boolean> {
  const asked = { id: nextId(), protocol, model, isStream, withinMs: world.turnWithinMs };
  const told = await askAndJudge(world, asked, { isQuick: true });
  return told !== undefined && isSuccess(told);
}

/** Whether the tools of the servers that all clients share can be called. */
export async function toolsWork(world: World): Promise<boolean> {
  const works = ['till', 'shelf'].flatMap((server) =>
    ['pay', 'look', 'count'].map(async (tool) => {
      const id = nextId();
      const use = { id, name: `${server}__${tool}`, args: { id } };
      return (await callTool(world, world.modern, use))?.how === 'ok';
    }),
  );
  return (await Promise.all(works)).every((isWell) => isWell);
}

/** Whether the gateway answers at all. */
export async function gatewayWorks({ door, turnWithinMs }: World): Promise<boolean> {
  const path = '/healthz';
  const asked = { what: 'GET /healthz', method: 'GET', path, withinMs: turnWithinMs } as const;
  return (await door.ask(asked))?.status === 200;
}

/** Whether the store of circuits is there, as the gateway sees it. */
export async function storeWorks(world: World): Promise<boolean> {
  const { store } = await getJson<{ readonly store: { readonly is_degraded: boolean } | null }>(
    world,
    '/api/v1/replicas',
  );
  return store?.is_degraded === false;
}

/** Whether history is written, once there is something to write. */
export async function historyWorks(world: World): Promise<boolean> {
  await modelWorks(world, 'chat', 'beta-1', false);
  const path = '/api/v1/history?limit=1';
  const { problem } = await getJson<{ readonly problem: string | null }>(world, path);
  return problem === null;
}

/** The sum of a metric of the gateway, over all of its lines or those that are wanted. */
export async function metric(
  { door, turnWithinMs }: World,
  name: string,
  isWanted: (line: string) => boolean = () => true,
): Promise<number> {
  const what = `GET /metrics for ${name}`;
  const answer = await door.ask({ what, method: 'GET', path: '/metrics', withinMs: turnWithinMs });
  const isIt = (line: string): boolean =>
    line.startsWith(`${name} `) || line.startsWith(`${name}{`);
  const lines = (answer?.body ?? '').split('\n').filter((line) => isIt(line) && isWanted(line));
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
}

/** Rejects where there is no such answer. */
export async function getJson<Body>({ door, turnWithinMs }: World, path: string): Promise<Body> {
  const what = `GET ${path}`;
  const answer = await door.ask({ what, method: 'GET', path, withinMs: turnWithinMs });
  if (answer?.status !== 200) throw new Error(`${what}: ${String(answer?.status)}`);
  return JSON.parse(answer.body) as Body;
}
