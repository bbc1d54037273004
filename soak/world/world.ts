import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCostlyUpstream } from '../../test/support/costly-bodies.ts';
import type { CostlyUpstream } from '../../test/support/costly-bodies.ts';
import { needsPart } from '../../test/support/needs-part.ts';
import { RedisServer } from '../../test/support/redis-server.ts';
import { Door } from '../clients/door.ts';
import { EventReader } from '../clients/event-reader.ts';
import { ModernMcpClient } from '../clients/modern-mcp-client.ts';
import { EffectsOnce } from '../invariants/effects-once.ts';
import type { Violations } from '../invariants/violations.ts';
import { Windows } from '../invariants/windows.ts';
import { ModelServer } from '../model/model-server.ts';
import { Turns } from '../model/turn.ts';
import { FIRST_VARIANT, GRACE_MS, gatewayConfig, ledgerIn } from './gateway-config.ts';
import type { Places } from './gateway-config.ts';
import { GatewayProcess } from './gateway-process.ts';
import { openHistoryDisk } from './history-disk.ts';
import type { HistoryDisk } from './history-disk.ts';
import { Tally } from './tally.ts';
import { ToolLedger } from './tool-ledger.ts';

/** The gateway and all that is around it. */
export interface World {
  readonly seed: number;
  readonly violations: Violations;
  readonly gateway: GatewayProcess;
  readonly door: Door;
  readonly modern: ModernMcpClient;
  readonly readers: readonly EventReader[];
  readonly turns: Turns;
  readonly models: Readonly<Record<keyof Places['models'], ModelServer>>;
  readonly costly: CostlyUpstream;
  readonly ledger: ToolLedger;
  readonly effects: EffectsOnce;
  /** Undefined where there is no Redis to run. */
  readonly redis: RedisServer | undefined;
  readonly disk: HistoryDisk;
  readonly places: Places;
  /** When the gateway is short of file descriptors; connections it broke then are noticed a little later. */
  readonly cramped: Windows;
  /** When something was done to the gateway by which it may do nothing at all. */
  readonly hindered: Windows;
  readonly tally: Tally;
  /** How long answers may take: for a turn, for a tool call, and for all of a burst. */
  readonly turnWithinMs: number;
  readonly callWithinMs: number;
  readonly burstWithinMs: number;
  /** Ends all that is left, and removes its files. */
  close(): Promise<void>;
}

/** Three attempts of 2.5 s, the waits between them, an answer and its longest silence, and a machine that is busy. */
const TURN_WITHIN_MS = 30_000;
/** The longest that the gateway lets a call take, and the same. */
const CALL_WITHIN_MS = 25_000;
const BURST_WITHIN_MS = 60_000;
const NOTICED_AFTER_MS = 2000;

/** Starts all of it. */
export async function startWorld(
  seed: number,
  violations: Violations,
  { mayMount = true }: { readonly mayMount?: boolean } = {},
): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-soak-'));
  const turns = new Turns();
  const models = {
    alpha: await ModelServer.start('alpha', turns),
    beta: await ModelServer.start('beta', turns),
    claude: await ModelServer.start('claude', turns),
    resp: await ModelServer.start('resp', turns),
  };
  const costly = await startCostlyUpstream();
  const redis = needsPart('redis-server').isMissing ? undefined : await RedisServer.start();
  const disk = openHistoryDisk(folder, mayMount);
  const ledger = new ToolLedger(ledgerIn(folder));
  const places: Places = {
    models: {
      alpha: models.alpha.url,
      beta: models.beta.url,
      claude: models.claude.url,
      resp: models.resp.url,
    },
    costly: costly.url,
    ledger: ledger.file,
    redis: redis?.url,
    history: disk.folder,
  };
  const gateway = await GatewayProcess.start(gatewayConfig(places, FIRST_VARIANT), folder);
  const cramped = new Windows(NOTICED_AFTER_MS);
  const door = new Door(gateway.url, violations, cramped);
  const reader = (name: string, sleepsMs: number): EventReader =>
    new EventReader({ name, door, violations, cramped, sleepsMs });
  const readers = [reader('a reader', 0), reader('a reader that sleeps', 4000)];
  return {
    seed,
    violations,
    gateway,
    door,
    modern: new ModernMcpClient(door),
    readers,
    turns,
    models,
    costly,
    ledger,
    effects: new EffectsOnce(violations),
    redis,
    disk,
    places,
    cramped,
    hindered: new Windows(),
    tally: new Tally(),
    turnWithinMs: TURN_WITHIN_MS,
    callWithinMs: CALL_WITHIN_MS,
    burstWithinMs: BURST_WITHIN_MS,
    close: async () => {
      door.hangUp();
      for (const each of readers) each.expectEnd();
      await gateway.stop(GRACE_MS);
      await Promise.all(readers.map((each) => each.close()));
      await Promise.all(Object.values(models).map((each) => each.goDown()));
      await costly.close();
      await redis?.stop();
      disk.remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
