import { z } from 'zod';
import { CONFIG_DEFAULTS } from './config-defaults.ts';
import { flag, section, wholeNumber } from './schema-parts.ts';

const { observe } = CONFIG_DEFAULTS;

/** What a file may say of how the gateway is watched. */
export const observeSchema = section({
  capture: flag
    .default(observe.capture)
    .describe(
      'Keep texts, arguments and results of the last requests, in memory only, for the dashboard.',
    ),
  reveal: flag
    .default(observe.reveal)
    .describe(
      'Show captured arguments and results as they are; masked otherwise, and secrets always.',
    ),
  captureRequests: wholeNumber(1, 10_000)
    .default(observe.captureRequests)
    .describe('How many requests are captured; the oldest make room.'),
  history: flag
    .default(observe.history)
    .describe(
      'Keep on disk what is known of requests, failures and circuits, never what was said in them.',
    ),
  historyDir: z
    .string({ error: 'a folder' })
    .optional()
    .describe(
      "The folder for that, relative to this file; without one, in the user's state folder.",
    ),
  historyMaxBytes: wholeNumber(65_536, 2 ** 40, 'bytes')
    .default(observe.historyMaxBytes)
    .describe('How large the history may be; the oldest makes room.'),
  historyMaxAgeDays: wholeNumber(1, 3650, 'days')
    .default(observe.historyMaxAgeDays)
    .describe('How long the history goes back.'),
  metrics: flag.default(observe.metrics).describe('Serve metrics for Prometheus at /metrics.'),
  dashboard: flag.default(observe.dashboard).describe('Serve the dashboard at /.'),
});
