import type { Clock } from '@holdfast/core';
import type { BodyLimit } from '../http/body-limit.ts';
import { sendJson } from '../http/send-json.ts';
import type { RouteSet } from '../live-routes.ts';
import type { Logger } from '../log/logger.ts';
import type { Reporter } from '../observe/reporter.ts';
import { answerOperation } from './answer-operation.ts';
import { classifyOperation } from './classify-operation.ts';
import { createHookOperations } from './hooks/create-hook-operations.ts';
import type { PluginSource } from './hooks/plugin-source.ts';
import type { Operation } from './operation.ts';
import { openApi } from './open-api.ts';
import type { MorePaths } from './open-api.ts';
import { createParseOperation } from './parse-operation.ts';

export interface SidecarOptions {
  readonly version: string;
  /** How long a request may be; one with text of a model may be longer. */
  readonly limits: () => Readonly<Record<'api' | 'modelText', BodyLimit>>;
  /** What runs around the calls that agents tell of. */
  readonly plugins: PluginSource;
  readonly clock: Clock;
  readonly log: Logger;
  /** Told what happens, for those who watch. Default: nobody. */
  readonly report?: Reporter;
  /** What else the document describes. Default: nothing. */
  readonly described?: MorePaths;
}

/** What agents in any language can ask of Holdfast over HTTP, and the document that describes it. */
export function createSidecar({ version, limits, described, ...others }: SidecarOptions): RouteSet {
  const hooks = createHookOperations(others);
  const operations = [createParseOperation(), classifyOperation, ...hooks.operations];
  const document = openApi(operations, version, described);
  return {
    routes: [
      ...operations.map((operation) => ({
        method: 'POST',
        path: `/api/v1/${operation.name}`,
        handle: answerOperation(operation, () => limits()[limitOf(operation)]),
      })),
      {
        method: 'GET',
        path: '/api/v1/openapi.json',
        handle: async ({ response }) => sendJson(response, 200, document),
      },
    ],
    close: async () => hooks.close(),
  };
}

function limitOf({ takesModelText = false }: Operation): 'api' | 'modelText' {
  return takesModelText ? 'modelText' : 'api';
}
