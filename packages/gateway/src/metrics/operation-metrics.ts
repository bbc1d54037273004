import { UNLISTED_ATTRIBUTE, UNLISTED_TOOL } from '../observe/unlisted-tool.ts';
import type { Attributes, EndedOperation, OperationListener } from '../telemetry/operation.ts';
import { GEN_AI_SECONDS, MCP_SECONDS } from './buckets.ts';
import type { MetricRegistry } from './metric-registry.ts';

const OF_MCP = [
  'mcp_method_name',
  'gen_ai_tool_name',
  'error_type',
  'network_transport',
  'mcp_protocol_version',
] as const;

const OF_UPSTREAM = [
  'gen_ai_operation_name',
  'gen_ai_provider_name',
  'gen_ai_request_model',
] as const;

/** How long requests take: those of MCP clients, those to MCP servers, and those to upstreams. */
export function operationMetrics(registry: MetricRegistry): OperationListener {
  const served = registry.histogram(
    {
      name: 'mcp_server_operation_duration_seconds',
      help: 'How long requests of MCP clients took.',
      labels: OF_MCP,
    },
    MCP_SECONDS,
  );
  const asked = registry.histogram(
    {
      name: 'mcp_client_operation_duration_seconds',
      help: 'How long MCP servers took to answer, each attempt by itself.',
      labels: ['server', ...OF_MCP],
    },
    MCP_SECONDS,
  );
  const upstream = registry.histogram(
    {
      name: 'gen_ai_client_operation_duration_seconds',
      help: 'How long upstreams took to answer to the end, each attempt by itself.',
      labels: [...OF_UPSTREAM, 'error_type'],
    },
    GEN_AI_SECONDS,
  );
  const firstChunk = registry.histogram(
    {
      name: 'gen_ai_client_operation_time_to_first_chunk_seconds',
      help: 'How long upstreams took to answer with the first byte, each attempt by itself.',
      labels: OF_UPSTREAM,
    },
    GEN_AI_SECONDS,
  );
  const attempts = registry.counter({
    name: 'holdfast_upstream_attempts_total',
    help: 'Requests for turns to upstreams: ok, or the kind of the error.',
    labels: ['upstream', 'outcome'],
  });
  const failovers = registry.counter({
    name: 'holdfast_upstream_failovers_total',
    help: 'Requests for turns that went to an upstream because another one did not answer.',
    labels: ['upstream'],
  });
  const inFlight = new Map([
    ['yes', 0],
    ['no', 0],
  ]);
  registry.reading(
    {
      name: 'holdfast_turns_in_flight',
      help: 'Turns that clients of the proxy wait for now, streams and others.',
      labels: ['stream'],
    },
    { type: 'gauge', read: () => [...inFlight].map(([stream, count]) => [{ stream }, count]) },
  );

  return {
    began: ({ kind, attributes }) => countTurn(kind, attributes, 1),
    ended: (operation) => {
      const { kind, attributes, durationMs } = operation;
      countTurn(kind, attributes, -1);
      const seconds = durationMs / 1000;
      if (attributes['mcp.method.name'] !== undefined) {
        const labels = mcpLabels(operation);
        if (kind === 'server') served.observe(labels, seconds);
        else asked.observe({ server: text(attributes['holdfast.mcp.server']), ...labels }, seconds);
      } else if (kind === 'client') countUpstream(operation, seconds);
    },
  };

  function countUpstream({ attributes, errorType }: EndedOperation, seconds: number): void {
    const provider = text(attributes['gen_ai.provider.name']);
    const of = {
      gen_ai_operation_name: text(attributes['gen_ai.operation.name']),
      gen_ai_provider_name: provider,
      gen_ai_request_model: registry.modelLabel(
        text(attributes['gen_ai.request.model']),
        errorType,
      ),
    };
    upstream.observe({ ...of, error_type: errorType }, seconds);
    const first = attributes['gen_ai.response.time_to_first_chunk'];
    if (typeof first === 'number') firstChunk.observe(of, first);
    attempts.add({ upstream: provider, outcome: errorType ?? 'ok' });
    if (attributes['holdfast.failover'] === true) failovers.add({ upstream: provider });
  }

  function countTurn(kind: string, attributes: Attributes, change: number): void {
    if (kind !== 'server' || attributes['holdfast.stream'] === undefined) return;
    const stream = attributes['holdfast.stream'] === true ? 'yes' : 'no';
    inFlight.set(stream, (inFlight.get(stream) ?? 0) + change);
  }
}

function mcpLabels({
  attributes,
  errorType,
}: EndedOperation): Record<(typeof OF_MCP)[number], string | undefined> {
  return {
    mcp_method_name: text(attributes['mcp.method.name']),
    gen_ai_tool_name:
      attributes[UNLISTED_ATTRIBUTE] === true
        ? UNLISTED_TOOL
        : text(attributes['gen_ai.tool.name']),
    error_type: errorType,
    network_transport: text(attributes['network.transport']),
    mcp_protocol_version: text(attributes['mcp.protocol.version']),
  };
}

function text(value: Attributes[string]): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
