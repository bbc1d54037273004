import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from './free-port.ts';

const READY_WITHIN_MS = 10_000;

/** A real Redis on loopback, in a folder of its own, that keeps nothing on disk. */
export class RedisServer {
  readonly port: number;
  readonly #options: readonly string[];
  readonly #folder: string;
  #child: ChildProcess | undefined;
  #log = '';

  private constructor(port: number, options: readonly string[]) {
    this.port = port;
    this.#options = options;
    this.#folder = mkdtempSync(join(tmpdir(), 'holdfast-redis-'));
  }

  /** Starts one and waits until it answers. `options` as on its command line: `['--maxmemory', '2mb']`. */
  static async start(options: readonly string[] = []): Promise<RedisServer> {
    const server = new RedisServer(await freePort(), options);
    await server.restart();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Runs a command by redis-cli. Resolves to what it prints. */
  async cli(...args: readonly string[]): Promise<string> {
    return redisCli('-p', String(this.port), ...args);
  }

  /** Starts it again on the same port, with nothing in it. */
  async restart(): Promise<void> {
    const place = ['--port', String(this.port), '--bind', '127.0.0.1', '--dir', this.#folder];
    const forgetful = ['--save', '', '--appendonly', 'no'];
    const child = spawn('redis-server', [...place, ...forgetful, ...this.#options], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    running.add(child);
    const keep = (chunk: string): void => {
      this.#log += chunk;
    };
    child.stdout.setEncoding('utf8').on('data', keep);
    child.stderr.setEncoding('utf8').on('data', keep);
    child.on('error', (error) => keep(error.message));
    child.on('close', () => running.delete(child));
    await this.#ready(child);
  }

  /** Ends it as a crash would, at once. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** It takes what is sent to it, and answers nothing. */
  pause(): void {
    this.#child?.kill('SIGSTOP');
  }

  resume(): void {
    this.#child?.kill('SIGCONT');
  }

  async stop(): Promise<void> {
    await this.#end('SIGKILL');
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #end(signal: 'SIGKILL'): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const closed = once(child, 'close');
    child.kill(signal);
    await closed;
  }

  async #ready(child: ChildProcess): Promise<void> {
    const deadline = performance.now() + READY_WITHIN_MS;
    while (!(await answers(this.port))) {
      if (child.exitCode !== null || child.pid === undefined || performance.now() > deadline)
        throw new Error(`redis-server on port ${this.port} did not start:\n${this.#log}`);
      await sleep(10);
    }
  }
}

/** Three masters on loopback that share the slots. */
export class RedisCluster {
  readonly nodes: readonly RedisServer[];

  private constructor(nodes: readonly RedisServer[]) {
    this.nodes = nodes;
  }

  static async start(options: readonly string[] = []): Promise<RedisCluster> {
    const nodes: RedisServer[] = [];
    // One after the other, so that no two find the same port free.
    for (let node = 0; node < 3; node++)
      nodes.push(await RedisServer.start(['--cluster-enabled', 'yes', ...options]));
    const addresses = nodes.map(({ port }) => `127.0.0.1:${port}`);
    await redisCli('--cluster', 'create', ...addresses, '--cluster-yes');
    for (const node of nodes) await clusterReady(node);
    return new RedisCluster(nodes);
  }

  async stop(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.stop()));
  }
}

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

async function redisCli(...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('redis-cli', args, { timeout: 30_000 });
  return stdout.trimEnd();
}

async function clusterReady(node: RedisServer): Promise<void> {
  const deadline = performance.now() + READY_WITHIN_MS;
  while (!(await node.cli('cluster', 'info')).includes('cluster_state:ok')) {
    if (performance.now() > deadline)
      throw new Error(`the node on port ${node.port} did not join its cluster`);
    await sleep(20);
  }
}

/** Whether a Redis on the port says that it is there and has loaded what it has. */
async function answers(port: number): Promise<boolean> {
  const socket = connect({ host: '127.0.0.1', port });
  try {
    socket.write('PING\r\n');
    const [reply] = (await once(socket, 'data', { signal: AbortSignal.timeout(1000) })) as [Buffer];
    // One with a password is there too.
    return /^(?:\+PONG|-NOAUTH)/.test(reply.toString());
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
