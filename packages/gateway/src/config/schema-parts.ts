import { z } from 'zod';

// The message of each rule is what was expected; `read-issue.ts` adds where, and what arrived.

/** What can be sent in a header: no line breaks, no control characters. */
const HEADER_TEXT = /^[\t\x20-\x7e\x80-\xff]*$/;
/** The longest a timer can wait. */
const LONGEST_MS = 2_147_483_647;

/** `true` or `false`. */
export const flag: z.ZodBoolean = z.boolean({ error: 'true or false' });
/** Text that says something. */
export const text: z.ZodString = z
  .string({ error: 'text' })
  .min(1, { error: 'text that is not empty' });
/** What is sent in a header and never shown. */
export const secret: z.ZodString = z
  .string({ error: 'text; put quotes around a number' })
  .regex(HEADER_TEXT, { error: 'text without line breaks or control characters' });
/** Milliseconds that a timer can wait. */
export const duration: z.ZodInt = wholeNumber(1, LONGEST_MS, 'milliseconds');
const SHARE = 'a share above 0, up to 1';
/** A part of all. */
export const share: z.ZodNumber = z
  .number({ error: SHARE })
  .gt(0, { error: SHARE })
  .max(1, { error: SHARE });

/** Keys, and no others. */
export function section<Shape extends z.ZodRawShape>(
  shape: Shape,
): z.ZodObject<Shape, z.core.$strict> {
  return z.strictObject(shape, { error: `a section with ${Object.keys(shape).join(', ')}` });
}

/** One of a few words. */
export function choice<const Words extends readonly string[]>(
  words: Words,
): z.ZodEnum<{ [Word in Words[number]]: Word }> {
  return z.enum(words, { error: [words.slice(0, -1).join(', '), words.at(-1)].join(' or ') });
}

/** Whether answers begin inside reasoning that the prompt opened. */
export const startsInReasoning: z.ZodLiteral<'auto' | true | false> = z.literal(
  ['auto', true, false],
  { error: 'auto, true or false' },
);

/** A whole number within bounds. */
export function wholeNumber(min: number, max: number, unit?: string): z.ZodInt {
  const error = `a whole number from ${min} to ${max}${unit === undefined ? '' : `, in ${unit}`}`;
  return z.int({ error }).min(min, { error }).max(max, { error });
}
