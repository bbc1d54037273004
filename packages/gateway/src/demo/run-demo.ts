import { systemClock } from '@holdfast/core/guard';
import type { Io } from '../cli/io.ts';
import type { GatewayConfig } from '../config/gateway-config.ts';
import { startDemoUpstream } from '../demo-upstream/start-demo-upstream.ts';
import { runGateway } from '../run-gateway.ts';
import { demoConfig } from './demo-config.ts';
import { startDemoTraffic } from './demo-traffic.ts';
import { openBrowser } from './open-browser.ts';

export interface DemoOptions {
  /** The configuration in front of the upstream at an address. */
  readonly configFor: (upstreamUrl: string) => GatewayConfig;
  /** What is printed when it runs. */
  readonly greeting: (url: string, upstreamUrl: string) => string;
  readonly portsToTry: number;
  /** Whether agents work through it. */
  readonly hasTraffic: boolean;
  /** Whether the dashboard is opened in a browser. */
  readonly opens: boolean;
  /** For so long the flaky tool fails, and then works. */
  readonly halfCycleMs: number;
  /** Lines of the log below it are not written: what agents do would push what was printed out of sight. */
  readonly writeLogFrom: GatewayConfig['log']['level'];
}

/** Runs the whole product without a model and without keys, until it is told to stop. Returns the exit code. */
export async function runDemo(io: Io, options: DemoOptions): Promise<number> {
  const { configFor, greeting, portsToTry, hasTraffic, opens, halfCycleMs, writeLogFrom } = options;
  const upstream = await startDemoUpstream();
  try {
    return await runGateway(demoConfig(configFor(upstream.url), halfCycleMs), io, {
      greeting: (url) => greeting(url, upstream.url),
      portsToTry,
      writeLogFrom,
      started: (url, log) => {
        if (opens) openBrowser(url);
        return hasTraffic ? startDemoTraffic(url, { clock: systemClock, log }) : undefined;
      },
    });
  } finally {
    await upstream.close();
  }
}
