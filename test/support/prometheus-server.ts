import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';

export interface PrometheusServer {
  /** What its API answers with, under `data`. */
  ask(path: string, query?: Readonly<Record<string, string>>): Promise<unknown>;
  close(): Promise<void>;
}

/** Starts a Prometheus that scrapes one target, twice a second. */
export async function startPrometheus(target: {
  readonly url: string;
  readonly token: string;
  readonly ruleFile: string;
}): Promise<PrometheusServer> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-prometheus-'));
  const file = join(folder, 'prometheus.yml');
  // JSON is YAML.
  const config = {
    global: { scrape_interval: '500ms', scrape_timeout: '500ms', evaluation_interval: '500ms' },
    rule_files: [target.ruleFile],
    scrape_configs: [
      {
        job_name: 'holdfast',
        authorization: { credentials: target.token },
        static_configs: [{ targets: [new URL(target.url).host] }],
      },
    ],
  };
  writeFileSync(file, JSON.stringify(config));
  const port = await freePort();
  const child = spawn(
    'prometheus',
    [
      `--config.file=${file}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=warn',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  return {
    ask: async (path, query = {}) => {
      const asked = new URL(`http://127.0.0.1:${port}/api/v1/${path}`);
      asked.search = new URLSearchParams(query).toString();
      const answer = await fetch(asked);
      const body = (await answer.json()) as { readonly data?: unknown; readonly error?: string };
      if (!answer.ok) throw new Error(`${body.error ?? answer.status}\n${stderr}`);
      return body.data;
    },
    close: async () => {
      if (child.exitCode === null) {
        const closed = once(child, 'close');
        child.kill('SIGKILL');
        await closed;
      }
      rmSync(folder, { recursive: true });
    },
  };
}
