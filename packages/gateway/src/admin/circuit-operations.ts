import type { JsonObject } from '@holdfast/core';
import type { Reporter } from '../observe/reporter.ts';
import { textOf } from '../proxy/json/json-fields.ts';
import type { AdminOperation, AdminRequest } from './admin-operation.ts';
import { CIRCUIT_OWNERS } from './circuit-directory.ts';
import type { CircuitDirectory, OwnedCircuit } from './circuit-directory.ts';
import { CIRCUIT, circuitJson, WHOLE_CIRCUIT, wholeCircuitJson } from './circuit-json.ts';
import type { CircuitJsonMeans } from './circuit-json.ts';
import { fields, list, oneOf, said, text } from './schema-words.ts';

const PATH = '/api/v1/circuits';
const OF = {
  of: said(oneOf(...CIRCUIT_OWNERS), 'Whose circuit, where several have one of that name.'),
};
const UNKNOWN = { 404: 'There is no such circuit; the message names the nearest.' };
const NOTE = { ...text, maxLength: 200 };
/** As long as a circuit can be told to stay open. */
const LONGEST_SECONDS = 31_536_000;

/** Circuits: all of them, one of them, and what a person can do to one. */
export function circuitOperations(
  directory: CircuitDirectory,
  now: () => CircuitJsonMeans,
  report: Reporter,
): readonly AdminOperation[] {
  const find = ({ path, query }: AdminRequest): OwnedCircuit =>
    directory.find(path['name'] ?? '', query['of']?.toString());
  const changed = (owned: OwnedCircuit): JsonObject => {
    report.settled(owned.circuit);
    return wholeCircuitJson(owned, now());
  };
  return [
    {
      method: 'GET',
      path: PATH,
      id: 'list_circuits',
      summary: 'All circuits: of upstreams and their models, of MCP servers and tools, of agents.',
      gives: fields({ circuits: list(CIRCUIT) }),
      run: () => {
        const means = now();
        return { circuits: directory.list().map((owned) => circuitJson(owned, means)) };
      },
    },
    {
      method: 'GET',
      path: `${PATH}/{name}`,
      id: 'get_circuit',
      summary: 'One circuit, with how it is set up and what became of it.',
      query: OF,
      gives: WHOLE_CIRCUIT,
      errors: UNKNOWN,
      run: (request) => wholeCircuitJson(find(request), now()),
    },
    {
      method: 'POST',
      path: `${PATH}/{name}/reset`,
      id: 'reset_circuit',
      summary: 'Closes a circuit by hand.',
      query: OF,
      takes: fields({ note: said(NOTE, 'Why; it is kept in the history.') }, ['note']),
      gives: WHOLE_CIRCUIT,
      example: { note: 'the server is back' },
      errors: UNKNOWN,
      run: (request) => {
        const owned = find(request);
        const { note } = request.body;
        owned.circuit.reset(typeof note === 'string' ? report.line(note) : undefined);
        return changed(owned);
      },
    },
    {
      method: 'POST',
      path: `${PATH}/{name}/isolate`,
      id: 'isolate_circuit',
      summary: 'Opens a circuit by hand, for a while or until it is reset.',
      query: OF,
      takes: fields(
        {
          reason: said({ ...NOTE, minLength: 1 }, 'Why; it is kept in the history.'),
          for_seconds: {
            type: 'number',
            exclusiveMinimum: 0,
            maximum: LONGEST_SECONDS,
            description: 'How long; until it is reset without it.',
          },
        },
        ['for_seconds'],
      ),
      gives: WHOLE_CIRCUIT,
      example: { reason: 'the server is being moved', for_seconds: 600 },
      errors: UNKNOWN,
      run: (request) => {
        const owned = find(request);
        const { reason, for_seconds: seconds } = request.body;
        const forMs = typeof seconds === 'number' ? seconds * 1000 : Infinity;
        owned.circuit.isolate(report.line(textOf(reason)), forMs);
        return changed(owned);
      },
    },
  ];
}
