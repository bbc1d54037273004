import type { JsonObject, JsonValue } from '@holdfast/core';
import { maskSecrets } from '@holdfast/core/advise';
import { z } from 'zod';
import { flag, section } from '../../config/schema-parts.ts';
import { redactValue } from '../../redact/redactor.ts';
import { isObject } from '../../proxy/json/json-fields.ts';
import type { Plugin, PluginViolation } from '../plugin.ts';
import type { BuiltInPlugin, PluginMeans } from './built-in-plugin.ts';
import { builtIn } from './built-in-plugin.ts';
import { mapTexts } from './map-texts.ts';

const schema = section({
  mask_arguments: flag
    .default(false)
    .describe('Whether secrets are taken out of arguments too. A tool that needs them fails then.'),
  redact: flag.default(true).describe('Whether secrets are replaced by ***.'),
  block_on_detection: flag.default(false).describe('Whether a result with secrets is held back.'),
  enabled: z.record(z.string(), z.unknown(), { error: 'a section' }).exactOptional(),
  redaction_text: z.string({ error: 'text' }).exactOptional(),
  min_findings_to_block: z.number({ error: 'a number' }).exactOptional(),
});

/** Keys of plugins with this name elsewhere. */
const IDLE = ['enabled', 'redaction_text', 'min_findings_to_block'] as const;

/** Takes what looks like a secret out of results before the model sees them. */
export const secretsMasking: BuiltInPlugin = builtIn(schema, createSecretsMasking);

function createSecretsMasking(config: z.output<typeof schema>, { log }: PluginMeans): Plugin {
  for (const key of IDLE)
    if (config[key] !== undefined) log.info({}, `config.${key} does nothing here`);
  const { mask_arguments: masksArguments, redact, block_on_detection: blocks } = config;
  return {
    tool_pre_invoke: (payload, { shown_name: shown }) => {
      if (!masksArguments) return undefined;
      const masked = maskData(payload.args);
      if (isSame(masked, payload.args)) return undefined;
      if (blocks) return { violation: found(`The arguments of ${shown}`, 'it was not called') };
      return redact && isObject(masked)
        ? { modified_payload: { ...payload, args: masked } }
        : undefined;
    },
    tool_post_invoke: (payload, { shown_name: shown }) => {
      const masked = maskResult(payload.result);
      if (masked === payload.result) return undefined;
      if (blocks) return { violation: found(`The result of ${shown}`, 'it is held back') };
      return redact ? { modified_payload: { ...payload, result: masked } } : undefined;
    },
  };
}

/** Texts by what they say, data by what it says and by what it is called. */
function maskResult(result: JsonValue): JsonValue {
  const masked = mapTexts(result, maskSecrets);
  if (!isObject(masked) || masked['structuredContent'] === undefined) return masked;
  const { structuredContent: data } = masked;
  const maskedData = maskData(data);
  return isSame(maskedData, data) ? masked : { ...masked, structuredContent: maskedData };
}

function maskData(data: JsonValue): JsonValue {
  // What goes in as JSON comes out as JSON.
  return redactValue(data) as JsonValue;
}

function isSame(one: JsonValue, other: JsonValue | JsonObject): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function found(where: string, effect: string): PluginViolation {
  return {
    reason: 'Secrets detected',
    description: `${where} holds what looks like a secret, so ${effect}. Do not ask for it in another way.`,
    code: 'SECRETS_DETECTED',
    details: {},
    http_status_code: 422,
  };
}
