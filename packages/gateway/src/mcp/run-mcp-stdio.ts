import { systemClock } from '@holdfast/core/guard';
import { AdviceSigner } from '../advice/advice-signer.ts';
import { EXIT } from '../cli/exit-codes.ts';
import type { Io } from '../cli/io.ts';
import { readVersion } from '../cli/version.ts';
import type { GatewayConfig } from '../config/gateway-config.ts';
import { openFleet } from '../fleet/open-fleet.ts';
import { configSecrets, Redactor } from '../redact/redactor.ts';
import { createLogger } from '../log/create-logger.ts';
import { openLogRecords } from '../telemetry/open-log-records.ts';
import { openSpans } from '../telemetry/open-spans.ts';
import { createTelemetry } from '../telemetry/telemetry.ts';
import { createMcp } from './create-mcp.ts';
import { serveClient } from './downstream/serve-stdio.ts';
import type { McpConfig } from './mcp-config.ts';
import { openMcpPlugins } from './open-mcp-plugins.ts';
import { LineTransport } from './stdio/line-transport.ts';

/** Serves the client at the other end of our standard input and output until it goes away. Returns the exit code. */
export async function runMcpStdio(
  config: GatewayConfig & { readonly mcp: McpConfig },
  io: Io,
  notes: readonly string[],
): Promise<number> {
  const { mcp, adviceKey } = config;
  const redactor = new Redactor(configSecrets(config));
  const version = readVersion();
  const onLine = openLogRecords(version);
  const log = createLogger({
    level: config.log.level,
    format: io.stderr.isTerminal ? 'text' : 'json',
    redactor,
    ...(onLine !== undefined && { onLine }),
  });
  for (const note of notes) log.info({}, note);
  const clock = systemClock;
  const { input, output } = await io.claimPipes();
  const transport = new LineTransport({ input, output, log });
  const stops = (['SIGINT', 'SIGTERM'] as const).map((signal) =>
    io.onSignal(signal, () => void transport.close()),
  );
  const shared =
    config.store === undefined ? undefined : await openFleet(config.store, { clock, log, version });
  const fleet = shared?.fleet;
  const plugins = await openMcpPlugins(mcp.pluginFile, { log, clock, env: io.env, fleet });
  // Another gateway with this key may have a model proxy.
  const signer = adviceKey === undefined ? undefined : new AdviceSigner(adviceKey);
  const spans = await openSpans({ version, clean: redactor.text });
  const telemetry = createTelemetry({ clock, spans });
  const { createHub } = createMcp({ config: mcp, plugins, clock, log, fleet, telemetry, signer });
  try {
    await serveClient({ transport, createHub, version, clock, log });
  } finally {
    for (const stop of stops) stop();
    await plugins.close();
    await shared?.close();
  }
  return EXIT.ok;
}
