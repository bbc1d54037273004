import { mcpServerSchema } from '../../config/mcp-server-schema.ts';

/** The keys of a server that mean something here. */
export const KNOWN_KEYS: ReadonlySet<string> = new Set(Object.keys(mcpServerSchema.shape));

/** Keys that clients write for themselves; nothing is lost by leaving them to the clients. */
export const CLIENT_KEYS: ReadonlySet<string> = new Set([
  'alwaysAllow',
  'alwaysLoad',
  'autoApprove',
  'description',
  'dev',
  'gallery',
  'icon',
  'name',
  'version',
]);
