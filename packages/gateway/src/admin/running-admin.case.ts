import { Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonObject } from '@holdfast/core';
import { Circuits } from '@holdfast/core/guard';
import type { Failure } from '@holdfast/core/guard';
import { ManualClock } from '@holdfast/core/testing';
import { expect, onTestFinished } from 'vitest';
import { CONFIG_DEFAULTS } from '../config/config-defaults.ts';
import type { GatewayConfig, ObserveConfig } from '../config/gateway-config.ts';
import { Isolations } from '../fleet/isolations.ts';
import { runningServer } from '../http/running-server.case.ts';
import { LogRing } from '../log/log-ring.ts';
import { memoryLogger } from '../log/memory-logger.case.ts';
import { Redactor } from '../redact/redactor.ts';
import { Observation } from '../observe/observation.ts';
import { objectOf, textOf } from '../proxy/json/json-fields.ts';
import { createAdmin } from './create-admin.ts';
import type { Admin, AdminOptions } from './create-admin.ts';

export const START = '2026-01-01T12:00:00.000Z';

const { upstream, ...rest } = CONFIG_DEFAULTS;

export const CONFIG: GatewayConfig = {
  ...rest,
  token: 'CANARY-token',
  upstreams: [
    {
      ...upstream,
      name: 'lm',
      url: 'http://127.0.0.1:1/v1',
      apiKey: 'CANARY-key',
      headers: { 'x-secret': 'CANARY-header' },
    },
  ],
};

export interface AdminAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly json: JsonObject;
}

export interface RunningAdmin {
  readonly url: string;
  readonly admin: Admin;
  readonly clock: ManualClock;
  readonly watched: Observation;
  readonly logs: LogRing;
  /** Those of the MCP side. */
  readonly circuits: Circuits;
  /** Makes a call through one of them. */
  readonly call: (name: string, failure?: Failure) => void;
  readonly get: (path: string) => Promise<AdminAnswer>;
  readonly post: (path: string, body: unknown) => Promise<AdminAnswer>;
}

export interface RunningAdminOptions {
  readonly options?: Partial<AdminOptions>;
  readonly observe?: Partial<ObserveConfig>;
  readonly token?: string;
}

/** The API of a gateway on a free port, over a clock that stands still. Good answers are held against their schemas. */
export async function runningAdmin(given: RunningAdminOptions = {}): Promise<RunningAdmin> {
  const clock = new ManualClock(0, Date.parse(START));
  const settings = { ...CONFIG_DEFAULTS.observe, ...given.observe };
  const watched = new Observation({
    clock,
    redactor: new Redactor(['CANARY-token', 'CANARY-key']),
    settings: () => settings,
  });
  const report = watched.reporter('mcp');
  const circuits = new Circuits({
    clock,
    defaults: { consecutiveFailures: 3, openForMs: 10_000 },
    onEvent: (event) => report.tell(event),
  });
  const logs = new LogRing();
  const isolations = new Isolations({ clock, log: memoryLogger() });
  isolations.of('mcp')(circuits, (name) => name.startsWith('shop/') || name.includes('*'));
  const admin = createAdmin({
    config: () => CONFIG,
    proxy: () => ({ counts: {} }),
    mcp: () => ({ servers: {} }),
    version: '1.2.3',
    gateway: () => 'here:8787',
    clock,
    watched,
    circuits: () => [
      ['proxy', []],
      ['mcp', circuits.list()],
      ['sidecar', []],
    ],
    logs,
    isolations,
    ...given.options,
  });
  onTestFinished(() => admin.close());
  const { token } = given;
  const { url } = await runningServer(undefined, {
    routes: admin.routes,
    ...(token === undefined ? {} : { token }),
  });
  const ask = async (path: string, init?: RequestInit): Promise<AdminAnswer> => {
    const answer = await fetch(url + path, init);
    const json = (await answer.json()) as JsonObject;
    if (answer.status === 200) checkAnswer(admin, init?.method ?? 'GET', path, json);
    return { status: answer.status, headers: answer.headers, json };
  };
  return {
    url,
    admin,
    clock,
    watched,
    logs,
    circuits,
    call: (name, failure) => {
      const circuit = circuits.get(name);
      const permit = circuit.acquire();
      if (!('isRefused' in permit)) circuit.settle(permit, failure);
      report.settled(circuit);
    },
    get: (path) => ask(path),
    post: (path, body) =>
      ask(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
  };
}

/** Holds an answer against what the OpenAPI document says of it. */
export function checkAnswer(
  { described }: Admin,
  method: string,
  path: string,
  json: JsonObject,
): void {
  const asked = path.split('?', 1)[0]?.split('/') ?? [];
  const found = Object.entries(described.paths).find(([pattern]) => {
    const words = pattern.split('/');
    const fits = (word: string, at: number): boolean => word.startsWith('{') || word === asked[at];
    return words.length === asked.length && words.every(fits);
  });
  const operation = objectOf(objectOf(found?.[1])[method.toLowerCase()]);
  const { operationId } = operation;
  const key = `${textOf(operationId)}_answer`;
  // To compile a schema takes long, and they are the same in every test.
  if (ajv.getSchema(key) === undefined) ajv.addSchema(objectOf(described.schemas[key]), key);
  const isValid = ajv.validate(key, json);
  expect(isValid, `${path}: ${JSON.stringify(ajv.errors)}`).toBe(true);
}

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, formats: { 'date-time': ISO } });
