import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { root } from '../support/repository.ts';

/** Where the tools are that the gateway is tested with, and the Node that runs them. */
export interface McpTools {
  readonly node: string;
  /** The folder with their packages. */
  readonly modules: string;
}

type Installed =
  (McpTools & { readonly ok: true }) | { readonly ok: false; readonly reason: string };

/** Fetches the conformance suite and the inspector unless that was done; throws where that is not possible. */
export async function installMcpTools(): Promise<McpTools> {
  const child = spawn(process.execPath, ['scripts/install-mcp-tools.mjs'], { cwd: root });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  await once(child, 'close');
  const installed = JSON.parse(output) as Installed;
  if (!installed.ok) throw new Error(`the tools could not be fetched:\n${installed.reason}`);
  return installed;
}
