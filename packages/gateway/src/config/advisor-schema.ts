import { adviceFromData, ADVISOR_DEFAULTS } from '@holdfast/core/advise';
import type { AdviceEntry, AdvisorOptions } from '@holdfast/core/advise';
import { z } from 'zod';
import { section, wholeNumber } from './schema-parts.ts';

/** What can be set of the advisor, by the names of the library: in the proxy, the MCP gateway and the hooks of agents. */
export type AdvisorSettings = Pick<
  AdvisorOptions,
  'toolThreshold' | 'stepBackFailures' | 'stepBackWindow' | 'rearmSuccesses' | 'advice'
>;

const MOST = 1000;
const ENTRY = 'a section with tool, type and text';

/** The settings by themselves, for what spells their names in another way. */
export const advisorShape = {
  toolThreshold: wholeNumber(1, MOST)
    .default(ADVISOR_DEFAULTS.toolThreshold)
    .describe('Consecutive failures of one tool from which on there is advice.'),
  stepBackFailures: wholeNumber(1, MOST)
    .default(ADVISOR_DEFAULTS.stepBackFailures)
    .describe('Failures among the last calls that make it time to step back.'),
  stepBackWindow: wholeNumber(1, MOST)
    .default(ADVISOR_DEFAULTS.stepBackWindow)
    .describe('How many of the last calls are counted for that.'),
  rearmSuccesses: wholeNumber(1, MOST)
    .default(ADVISOR_DEFAULTS.rearmSuccesses)
    .describe('Consecutive successes after which that may be said again.'),
  advice: z
    .array(z.record(z.string(), z.unknown(), { error: ENTRY }), { error: 'a list of advice' })
    .default([])
    .transform((entries, context): readonly AdviceEntry[] => {
      try {
        return adviceFromData(entries);
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        context.addIssue({ code: 'custom', message: `advice that can be given (${message})` });
        return z.NEVER;
      }
    })
    .describe(
      'Advice of your own, each with tool, type and text; it replaces the built-in one for the same tool and type.',
    ),
};

/** What a file may say of the advisor. */
export const advisorSchema = section(advisorShape);
