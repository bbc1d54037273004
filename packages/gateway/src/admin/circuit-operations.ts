import type { JsonObject, JsonValue } from '@holdfast/core';
import type { CircuitOwner } from '../fleet/isolations.ts';
import type { Reporter } from '../observe/reporter.ts';
import { textOf } from '../proxy/json/json-fields.ts';
import type { AdminOptions } from './create-admin.ts';
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
  { isolations, openSidecar }: Pick<AdminOptions, 'isolations' | 'openSidecar'>,
  now: () => CircuitJsonMeans,
  report: Reporter,
): readonly AdminOperation[] {
  const find = ({ path, query }: AdminRequest): OwnedCircuit =>
    directory.find(path['name'] ?? '', query['of']?.toString());
  const changed = (owned: OwnedCircuit): JsonObject => {
    report.settled(owned.circuit);
    return wholeCircuitJson(owned, now());
  };
  const reset = (owned: OwnedCircuit, note: JsonValue | undefined): JsonObject => {
    isolations.forget(owned.of, owned.circuit.name);
    owned.circuit.reset(typeof note === 'string' ? report.line(note) : undefined);
    return changed(owned);
  };
  /** The parts whose circuits are isolated: that which was asked for, all of a pattern, or the first that has it. */
  const ownersOf = async ({ path, query }: AdminRequest): Promise<readonly CircuitOwner[]> => {
    const name = path['name'] ?? '';
    const of = query['of']?.toString();
    if (of === 'sidecar' || name.includes('*')) await openSidecar?.();
    const known = directory.named(name, of).map((owned) => owned.of);
    const possible = isolations.ownersOf(name);
    const owners = CIRCUIT_OWNERS.filter((owner) => of === undefined || of === owner);
    const found = owners.filter((owner) => known.includes(owner) || possible.has(owner));
    if (name.includes('*')) return found;
    if (known.length > 0) return known;
    // Agents have tools of any name: without the part, a name with a typo would be one of theirs.
    return found.filter((owner) => owner !== 'sidecar' || of === owner).slice(0, 1);
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
    // Before the paths with a name, which would match it.
    {
      method: 'POST',
      path: `${PATH}/reset`,
      id: 'reset_all_circuits',
      summary: 'Closes all circuits by hand, isolated ones too.',
      takes: fields({ note: said(NOTE, 'Why; it is kept in the history.') }, ['note']),
      gives: fields({ circuits: list(text) }),
      example: { note: 'the network is back' },
      run: ({ body }) => {
        const open = directory.list().filter(({ circuit }) => circuit.state !== 'closed');
        for (const owned of open) reset(owned, body['note']);
        return { circuits: open.map(({ circuit }) => circuit.name) };
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
        const [first] = directory
          .named(request.path['name'] ?? '', request.query['of']?.toString())
          .map((owned) => reset(owned, request.body['note']));
        return first ?? reset(find(request), request.body['note']);
      },
    },
    {
      method: 'POST',
      path: `${PATH}/{name}/isolate`,
      id: 'isolate_circuit',
      summary:
        'Opens a circuit by hand, for a while or until it is reset; also one that was not used yet, or all of a pattern such as shop/*.',
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
      run: async (request) => {
        const name = request.path['name'] ?? '';
        const { reason, for_seconds: seconds } = request.body;
        const forMs = typeof seconds === 'number' ? seconds * 1000 : Infinity;
        for (const owner of await ownersOf(request))
          isolations.isolate(owner, name, report.line(textOf(reason)), forMs);
        const [first] = directory.named(name, request.query['of']?.toString()).map(changed);
        return first ?? changed(find(request));
      },
    },
  ];
}
