import type { JsonObject } from '@holdfast/core';
import { textOf } from '../../proxy/json/json-fields.ts';
import type { PluginCall } from '../../plugins/plugin-run.ts';

/** Which call a body is about. The body fits its schema. */
export function readPluginCall(body: JsonObject): PluginCall {
  const { server_id: server, tenant_id: tenant, user, conversation_id: conversation } = body;
  return {
    requestId: textOf(body['request_id']),
    tool: textOf(body['name']),
    ...(typeof server === 'string' && { server }),
    ...(typeof tenant === 'string' && { tenant }),
    ...(typeof user === 'string' && { user }),
    ...(typeof conversation === 'string' && { conversation }),
  };
}
