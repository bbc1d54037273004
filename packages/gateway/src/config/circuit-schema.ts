import { z } from 'zod';
import type { FailureClass } from '@holdfast/core/guard';
import type { UpstreamCircuitConfig } from './gateway-config.ts';
import { choice, duration, flag, section, share, wholeNumber } from './schema-parts.ts';

/** The classes of failures for which a file may say whether they count. */
const COUNTED = [
  'transport',
  'timeout',
  'server',
  'rate-limited',
  'tool-error',
  'invalid-arguments',
  'auth',
  'not-found',
] as const satisfies readonly FailureClass[];

/** `counts`: whether failures count, by class. */
export const circuitCounts: z.ZodRecord<
  z.ZodEnum<{ [Class in (typeof COUNTED)[number]]: Class }> & z.core.$partial,
  z.ZodBoolean
> = z.partialRecord(choice(COUNTED), flag, {
  error: 'classes of failures and whether they count, such as { not-found: true }',
});

/** What a file may say of a circuit. */
export type CircuitSchema = z.ZodObject<
  {
    consecutiveFailures: z.ZodDefault<z.ZodInt>;
    failureRatio: z.ZodDefault<z.ZodNumber>;
    minCalls: z.ZodDefault<z.ZodInt>;
    windowMs: z.ZodDefault<z.ZodInt>;
    openForMs: z.ZodDefault<z.ZodInt>;
    scope: z.ZodDefault<z.ZodEnum<{ fleet: 'fleet'; local: 'local' }>>;
    onStoreLoss: z.ZodDefault<z.ZodEnum<{ local: 'local'; admit: 'admit'; refuse: 'refuse' }>>;
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
    scope: choice(['fleet', 'local'])
      .default(defaults.scope)
      .describe(
        'Whether failures here can open it for all gateways that share a store (fleet), or only here (local).',
      ),
    onStoreLoss: choice(['local', 'admit', 'refuse'])
      .default(defaults.onStoreLoss)
      .describe(
        'What it does while that store is away: go by what this gateway sees (local), let everything through (admit), or nothing (refuse).',
      ),
  });
}
