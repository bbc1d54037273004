import { setTimeout as sleep } from 'node:timers/promises';
import { Dice } from '../dice.ts';
import type { World } from '../world/world.ts';
import { actAsAgent } from './agent.ts';
import { askAsDashboard } from './dashboard-reader.ts';
import { LegacyMcpClient } from './legacy-mcp-client.ts';
import { actAsToolUser, actInSession } from './tool-user.ts';

const SESSIONS = 4;
/** More than this at once only in a burst: what comes on top waits for its turn. */
const MOST_AT_ONCE = 200;

/** All clients of the gateway, at a rate. What they do is drawn from the seed; when, depends on the machine too. */
export class Traffic {
  readonly #world: World;
  readonly #dice: Dice;
  readonly #running = new Set<Promise<void>>();
  readonly #idle: LegacyMcpClient[];
  #acts = 0;

  constructor(world: World) {
    this.#world = world;
    this.#dice = new Dice(world.seed, 'traffic');
    this.#idle = Array.from({ length: SESSIONS }, () => new LegacyMcpClient(world.door));
  }

  get acts(): number {
    return this.#acts;
  }

  /** Clients come for so long, on the average `perSecond`; resolves when no more come, though some may still wait. */
  async run(forMs: number, perSecond: number): Promise<void> {
    const until = performance.now() + forMs;
    while (performance.now() < until) {
      await sleep(this.#dice.between(0, 2000 / perSecond));
      if (this.#running.size < MOST_AT_ONCE) this.#start(this.#act());
    }
  }

  /** So many clients come at once. Resolves when all have gone. */
  async burst(clients: number): Promise<void> {
    const { burstWithinMs: withinMs } = this.#world;
    const all = Array.from({ length: clients }, () => {
      const id = this.#nextId();
      const dice = new Dice(this.#world.seed, `act ${id}`);
      return dice.chance(0.7)
        ? actAsAgent(this.#world, dice, id, { withinMs })
        : actAsToolUser(this.#world, dice, id);
    });
    for (const act of all) this.#start(act);
    await Promise.allSettled(all);
  }

  /** Resolves when all clients have what they came for. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
  }

  /** Ends the sessions that are left. */
  async endSessions(): Promise<void> {
    for (const client of this.#idle) await client.end(this.#world.callWithinMs);
  }

  #start(act: Promise<void>): void {
    const running = act.finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  async #act(): Promise<void> {
    const world = this.#world;
    const id = this.#nextId();
    const dice = new Dice(world.seed, `act ${id}`);
    const withinMs = world.turnWithinMs;
    const kind = dice.between(0, 100);
    if (kind < 42) return actAsAgent(world, dice, id, { withinMs });
    if (kind < 50) return actAsAgent(world, dice, id, { withinMs, goesAfter: dice.whole(0, 3000) });
    if (kind < 55) return actAsAgent(world, dice, id, { withinMs, readPauseMs: dice.whole(1, 60) });
    if (kind < 72) return actAsToolUser(world, dice, id);
    if (kind < 82) return this.#inSession(dice, id);
    if (kind < 85) return this.#listTools();
    return askAsDashboard(world, dice, withinMs);
  }

  async #inSession(dice: Dice, id: string): Promise<void> {
    const client = this.#idle.shift();
    if (client === undefined) return actAsToolUser(this.#world, dice, id);
    await actInSession(this.#world, client, dice, id);
    this.#idle.push(client);
  }

  async #listTools(): Promise<void> {
    const { modern, turnWithinMs, violations } = this.#world;
    await modern.listTools(turnWithinMs).catch((error: unknown) => {
      violations.check('answered', false, () => String(error));
    });
  }

  #nextId(): string {
    this.#acts++;
    return `a${this.#acts}`;
  }
}
