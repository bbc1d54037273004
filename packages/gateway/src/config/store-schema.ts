import { z } from 'zod';
import { flag, section } from './schema-parts.ts';

const EXPECTED = 'an address of Redis such as redis://127.0.0.1:6379';
const PREFIX = 'at most 64 letters, digits and _ . : / -';

/** The address of a Redis, which may hold a password. */
export const storeUrl: z.ZodString = z
  .string({ error: EXPECTED })
  .refine((value) => value === '' || isRedisUrl(value), { error: EXPECTED });

/** What a file may say of where circuits are shared. */
export const storeSchema = z.union(
  [
    storeUrl,
    section({
      url: storeUrl.describe('redis:// or rediss://, with the password where there is one.'),
      prefix: z
        .string({ error: PREFIX })
        .regex(/^[\w.:/-]{1,64}$/, { error: PREFIX })
        .exactOptional()
        .describe(
          'What all keys begin with, holdfast unless something is said; gateways with another prefix are another fleet.',
        ),
      replica: z
        .string({ error: 'text' })
        .regex(/^[\w.:-]{1,64}$/, { error: 'at most 64 letters, digits and _ . : -' })
        .exactOptional()
        .describe('What this gateway is called among the others; a name of its own otherwise.'),
      cluster: flag.exactOptional().describe('Whether it is a Redis Cluster.'),
    }),
  ],
  { error: `${EXPECTED}, or a section with url, prefix, replica and cluster` },
);

export function isRedisUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return (protocol === 'redis:' || protocol === 'rediss:') && hostname !== '';
}
