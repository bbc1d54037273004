import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// What gateways and hooks keep on disk belongs to whoever runs them. Tests that run some, as processes or within
// their own, must not add to it.
if (process.env['HOLDFAST_STATE_DIR'] === undefined) {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-state-'));
  process.env['HOLDFAST_STATE_DIR'] = folder;
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
}
