import { z } from 'zod';
import { choice, flag, section, text, wholeNumber } from '../config/schema-parts.ts';
import { PLUGIN_MODES } from './plugin-mode.ts';

// The message of each rule is what was expected; `read-issue.ts` adds where, and what arrived.

/** The hooks of a plugin that mean something here. */
export const TOOL_HOOKS = ['tool_pre_invoke', 'tool_post_invoke'] as const;

/** All that a file may name: those around prompts, resources, requests and agents do nothing here. */
export const KNOWN_HOOKS = [
  ...TOOL_HOOKS,
  'prompt_pre_fetch',
  'prompt_post_fetch',
  'resource_pre_fetch',
  'resource_post_fetch',
  'http_pre_request',
  'http_auth_resolve_user',
  'http_auth_check_permission',
  'http_post_request',
  'agent_pre_invoke',
  'agent_post_invoke',
] as const;

const names = z.array(z.string({ error: 'text' }), { error: 'a list of names' });
const anything = z.record(z.string(), z.unknown(), { error: 'a section' });

const conditionSchema = section({
  server_ids: names.exactOptional().describe('Servers, by their names.'),
  tenant_ids: names.exactOptional().describe('Tenants.'),
  tools: names.exactOptional().describe('Tools, as their servers name them.'),
  user_patterns: names
    .exactOptional()
    .describe('Regular expressions, one of which is found in the name of the user.'),
  prompts: names.exactOptional(),
  resources: names.exactOptional(),
  agents: names.exactOptional(),
  content_types: names.exactOptional(),
});

/** The fields of a condition that say nothing about tool calls. */
export const IDLE_CONDITIONS = ['prompts', 'resources', 'agents', 'content_types'] as const;

const pluginSchema = section({
  name: text.describe('Unique; in the log and in violations.'),
  kind: text.describe('One of the built-in plugins, or the path of an ES module.'),
  description: z.string({ error: 'text' }).exactOptional(),
  author: z.string({ error: 'text' }).exactOptional(),
  version: z.union([z.string(), z.number()], { error: 'text' }).exactOptional(),
  hooks: z
    .array(choice(KNOWN_HOOKS), { error: `a list of ${TOOL_HOOKS.join(', ')}` })
    .exactOptional()
    .describe('Where it runs. Without it, wherever the plugin has a function.'),
  tags: names.exactOptional(),
  mode: choice(PLUGIN_MODES).default('enforce').describe('What its word means.'),
  priority: wholeNumber(-1_000_000, 1_000_000)
    .default(100)
    .describe('Lower ones run first, ties in the order of the file.'),
  conditions: z
    .array(conditionSchema, { error: 'a list of conditions' })
    .default([])
    .describe(
      'One of them has to fit the call, with all its fields. Without any, every call fits.',
    ),
  config: anything.default({}).describe('What the plugin itself is told.'),
  on_error: choice(['fail', 'ignore', 'disable'])
    .exactOptional()
    .describe('What its failure does: end the call, nothing, or nothing and leave it out.'),
  mcp: anything.exactOptional(),
  grpc: anything.exactOptional(),
});

const TIMEOUT = 'seconds above 0, up to 86400';

const settingsSchema = section({
  plugin_timeout: z
    .number({ error: TIMEOUT })
    .gt(0, { error: TIMEOUT })
    .max(86_400, { error: TIMEOUT })
    .default(30)
    .describe('How long one plugin may take for one call, in seconds.'),
  fail_on_plugin_error: flag
    .default(false)
    .describe('Whether failures of permissive and audit plugins end the call too.'),
  parallel_execution_within_band: flag.exactOptional(),
  enable_plugin_api: flag.exactOptional(),
  plugin_health_check_interval: z.number({ error: 'a number' }).exactOptional(),
  include_user_info: flag.exactOptional(),
});

/** Settings that are taken and change nothing here. */
export const IDLE_SETTINGS = [
  'parallel_execution_within_band',
  'enable_plugin_api',
  'plugin_health_check_interval',
  'include_user_info',
] as const;

/** A list of plugins, which may also be all there is in a file. */
export const pluginListSchema = z.array(pluginSchema, {
  error: 'a list of plugins, each with a name and a kind',
});

/** What a plugin file may say. */
export const pluginFileSchema = section({
  plugins: pluginListSchema.default([]),
  plugin_dirs: names
    .default([])
    .describe('Folders with modules of plugins; relative to this file.'),
  plugin_settings: settingsSchema.prefault({}),
});

export type PluginFileContent = z.output<typeof pluginFileSchema>;
