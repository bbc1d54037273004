import type { Route } from '../http/http-exchange.ts';
import { sendJson } from '../http/send-json.ts';
import { answerOperation } from './answer-operation.ts';
import { classifyOperation } from './classify-operation.ts';
import { openApi } from './open-api.ts';
import { createParseOperation } from './parse-operation.ts';

export interface SidecarOptions {
  readonly version: string;
  /** The longest body that is taken. */
  readonly maxBytes: () => number;
}

/** What agents in any language can ask of Holdfast over HTTP, and the document that describes it. */
export function createSidecar({ version, maxBytes }: SidecarOptions): readonly Route[] {
  const operations = [createParseOperation(), classifyOperation];
  const document = openApi(operations, version);
  return [
    ...operations.map((operation) => ({
      method: 'POST',
      path: `/api/v1/${operation.name}`,
      handle: answerOperation(operation, maxBytes),
    })),
    {
      method: 'GET',
      path: '/api/v1/openapi.json',
      handle: async ({ response }) => sendJson(response, 200, document),
    },
  ];
}
