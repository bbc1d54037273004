import { join } from 'node:path';
import { build } from './build.mjs';
import { ensureInstall } from './ensure-install.mjs';
import { ensureParts } from './ensure-parts.mjs';
import { root, runQuietly } from './run-command.mjs';

// Renews the pictures of the dashboard in docs/images/: of a real gateway with a quarter of an hour of traffic
// behind it. They look best where the fonts Inter and JetBrains Mono are installed.
const flags = ['--import', 'tsx', '--conditions=@holdfast/source'];
const take = () =>
  runQuietly(process.execPath, [...flags, join(root, 'scripts', 'screenshots', 'main.ts')]);

for (const step of [ensureInstall, build, () => ensureParts(['chromium']), take]) {
  const { ok, output } = await step();
  if (output !== '') console.log(output.trimEnd());
  if (!ok) process.exit(1);
}
