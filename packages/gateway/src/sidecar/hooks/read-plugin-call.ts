import type { JsonObject } from '@holdfast/core';
import { maskSecrets } from '@holdfast/core/advise';
import { textOf } from '../../proxy/json/json-fields.ts';
import type { PluginCall } from '../../plugins/plugin-run.ts';

/** Which call a body is about. The body fits its schema. */
export function readPluginCall(body: JsonObject): PluginCall {
  const { server_id: server, tenant_id: tenant, user, conversation_id: conversation } = body;
  return {
    requestId: textOf(body['request_id']),
    // Circuits and labels are named by it.
    tool: maskSecrets(textOf(body['name'])),
    ...(typeof server === 'string' && { server }),
    ...(typeof tenant === 'string' && { tenant }),
    ...(typeof user === 'string' && { user }),
    ...(typeof conversation === 'string' && { conversation }),
  };
}
