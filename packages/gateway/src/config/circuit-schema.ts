import type { z } from 'zod';
import type { UpstreamCircuitConfig } from './gateway-config.ts';
import { duration, section, share, wholeNumber } from './schema-parts.ts';

/** What a file may say of a circuit. */
export type CircuitSchema = z.ZodObject<
  {
    consecutiveFailures: z.ZodDefault<z.ZodInt>;
    failureRatio: z.ZodDefault<z.ZodNumber>;
    minCalls: z.ZodDefault<z.ZodInt>;
    windowMs: z.ZodDefault<z.ZodInt>;
    openForMs: z.ZodDefault<z.ZodInt>;
  },
  z.core.$strict
>;

/** The section of a circuit, with what holds where it says nothing. */
export function circuitSchema(defaults: UpstreamCircuitConfig): CircuitSchema {
  return section({
    consecutiveFailures: wholeNumber(1, 1000)
      .default(defaults.consecutiveFailures)
      .describe('So many failures in a row open it.'),
    failureRatio: share
      .default(defaults.failureRatio)
      .describe('Such a share of the requests in the window failing opens it.'),
    minCalls: wholeNumber(1, 100_000)
      .default(defaults.minCalls)
      .describe('With fewer requests in the window, their share says nothing.'),
    windowMs: duration
      .default(defaults.windowMs)
      .describe('How long a request counts for the share.'),
    openForMs: duration
      .default(defaults.openForMs)
      .describe('How long it is left alone then, before one request may try it.'),
  });
}
