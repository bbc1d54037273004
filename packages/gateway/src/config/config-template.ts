import { ADVISOR_DEFAULTS as advisor } from '@holdfast/core/advise';
import { MCP_DEFAULTS } from '../mcp/mcp-defaults.ts';
import { CONFIG_DEFAULTS } from './config-defaults.ts';

const { listen, upstream, proxy, api, observe, log, shutdownGraceMs } = CONFIG_DEFAULTS;
const { normalise } = proxy;
const { settings: mcp } = MCP_DEFAULTS;

/**
 * The file that `holdfast init` writes. Lines behind `# ` say what holds anyway, or show what could be said:
 * without the `# ` they are valid.
 */
export const CONFIG_TEMPLATE = `## Holdfast: run it with  holdfast up
## Every key is explained in docs/configuration.md. What stands behind a single # is a default or an example.
## For completion in an editor: holdfast schema > holdfast.schema.json, then make the next line begin with one #.
## yaml-language-server: $schema=holdfast.schema.json

# listen: ${listen.host}:${listen.port}

## What clients have to show. Needed on any address but loopback.
# token: \${HOLDFAST_TOKEN:-}

## The servers that run models. The first one that has the model is asked, the next ones where it fails.
upstreams:
  - name: lm-studio
    url: http://127.0.0.1:1234/v1
    ## Ollama: http://127.0.0.1:11434/v1   llama.cpp: http://127.0.0.1:8080/v1   vLLM: http://127.0.0.1:8000/v1

    ## Its key. Without one, the key that the client sends is passed on.
    # apiKey: \${LM_API_KEY:-}

    ## What it speaks: chat (Chat Completions), messages (Anthropic Messages), responses (OpenAI Responses).
    # protocols: [${upstream.protocols.join(', ')}]

    ## What clients may ask it for. * stands for any characters; text that begins with * needs quotes.
    # models: ['*']

    ## What clients ask for, and what the upstream is asked for instead.
    # modelMap: { 'claude-*': qwen3-coder }

    # headers: { x-team: local }
    # connectTimeoutMs: ${upstream.connectTimeoutMs}
    # firstByteTimeoutMs: ${upstream.firstByteTimeoutMs}
    # idleTimeoutMs: ${upstream.idleTimeoutMs}

    ## How models hear of tools: native (the tools field), prompt (in their prompt), or auto (as it turns out).
    # toolMode: ${upstream.toolMode}
    ## The dialect of tools in a prompt. Without one, that of the model by its name.
    # toolFormat: qwen

    ## Whether answers of a model begin inside reasoning: true, false or auto. See proxy.startsInReasoning.
    # startsInReasoning: { 'qwq*': true }

    ## When it is left alone for a while.
    circuit:
      # consecutiveFailures: ${upstream.circuit.consecutiveFailures}
      # failureRatio: ${upstream.circuit.failureRatio}
      # minCalls: ${upstream.circuit.minCalls}
      # windowMs: ${upstream.circuit.windowMs}
      # openForMs: ${upstream.circuit.openForMs}
      ## With a store: whether it opens for all gateways (fleet) or only here (local), and what it does while the
      ## store is away: go by what is seen here (local), let everything through (admit), or nothing (refuse).
      # scope: ${upstream.circuit.scope}
      # onStoreLoss: ${upstream.circuit.onStoreLoss}

  ## A second one with the same models is asked where the first one fails.
  # - name: vllm
  #   url: http://10.0.0.7:8000/v1
  #   apiKey: \${VLLM_KEY:-}

## MCP servers, all of them behind one endpoint. Without upstreams, the gateway is for MCP only.
# mcp:
#   ## By their names, as clients have them in mcpServers: docs/mcp-configuration.md.
#   servers:
#     memory: { command: npx, args: [-y, '@modelcontextprotocol/server-memory'] }
#     remote: { url: 'http://127.0.0.1:3001/mcp' }
#   ## Files with mcpServers that clients have already; relative to this file.
#   files: []
#   ## When names of tools begin with the server: auto (where there are several), always or never.
#   prefix: ${mcp.prefix}
#   separator: ${mcp.separator}
#   listTimeoutMs: ${mcp.listTimeoutMs}
#   connectTimeoutMs: ${mcp.connectTimeoutMs}
#   ## How long a tool may be silent, and how long a call may take in all.
#   timeoutMs: ${mcp.timeoutMs}
#   maxDurationMs: ${mcp.maxDurationMs}
#   ## What a server may send in one message, and what of a result is passed on.
#   maxMessageBytes: ${mcp.maxMessageBytes}
#   maxResultBytes: ${mcp.maxResultBytes}
#   ## Hold arguments against the schemas of tools before a call, and mend them.
#   check: ${mcp.check}
#   ## Tell the model what to do about tool calls that keep failing.
#   advice: ${mcp.advice}
#   ## Believe what tools say of themselves, so that harmless ones are retried.
#   trustAnnotations: ${mcp.trustAnnotations}
#   ## A tool that is no longer what it was when it was seen first: quarantine (held back) or log.
#   redefinedTools: ${mcp.redefinedTools}
#   ## Where it is kept what tools are, so that a change is noticed after a restart too.
#   pins: ./tool-pins.json
#   ## The file that says which plugins run around calls; relative to this file.
#   plugins: plugins.yaml

proxy:
  ## Tell the arguments of a call while they are read, before it is known to be whole.
  # eager: ${proxy.eager}

  ## Calls written inside reasoning: if-unclosed, ignore or read.
  # callsInReasoning: ${proxy.callsInReasoning}

  ## The formats in which calls are read (see holdfast formats). Without it, all.
  # formats: [qwen, llama3-json]

  ## Answers that begin inside reasoning, as the prompt opened it: true, false or auto (known or learned).
  # startsInReasoning: ${proxy.startsInReasoning}

  ## Read text without markup as a call where it names an offered tool with arguments that fit.
  # bareCalls: ${proxy.bareCalls}
  # maxRequestBytes: ${proxy.maxRequestBytes}
  ## The most content of one response that is held in memory. What was sent to the client does not count.
  # maxResponseBytes: ${proxy.maxResponseBytes}
  # keepAliveMs: ${proxy.keepAliveMs}

  ## Tell the model what to do about tool calls that keep failing.
  # advice: ${proxy.advice}

  ## A call that does not fit its tool: forward (the client gets it), or ask-again (the model, once).
  # onInvalid: ${proxy.onInvalid}

  ## How often a turn is asked for, as long as nothing of an answer has come.
  retry:
    # maxAttempts: ${proxy.retry.maxAttempts}
    # baseDelayMs: ${proxy.retry.baseDelayMs}
    # maxDelayMs: ${proxy.retry.maxDelayMs}
    # maxWaitMs: ${proxy.retry.maxWaitMs}

  ## What is changed in requests so that local servers accept them.
  normalise:
    # systemInTheMiddle: ${normalise.systemInTheMiddle}
    # deferLoading: ${normalise.deferLoading}
    # hostedTools: ${normalise.hostedTools}
    # namespaceTools: ${normalise.namespaceTools}
    # customTools: ${normalise.customTools}
    # parameterProperties: ${normalise.parameterProperties}
    # emptyToolResults: ${normalise.emptyToolResults}
    # toolResultBlocks: ${normalise.toolResultBlocks}
    # callArguments: ${normalise.callArguments}
    # unknownFields: ${normalise.unknownFields}
    ## pass, or refuse for models that cannot see.
    # images: ${normalise.images}

## When models get advice after failed tool calls, and what it says: docs/advisor.md.
# advisor:
#   toolThreshold: ${advisor.toolThreshold}
#   stepBackFailures: ${advisor.stepBackFailures}
#   stepBackWindow: ${advisor.stepBackWindow}
#   rearmSuccesses: ${advisor.rearmSuccesses}
#   ## Advice of your own: for a tool or any, and a type of failure or any.
#   advice:
#     - { tool: deploy, type: conflict, text: Ask who holds the lock. Do not force it. }

## A Redis through which gateways share their circuits: one trips, and all of them know.
# store:
#   url: redis://127.0.0.1:6379
#   ## What all keys begin with, and what this gateway is called among the others.
#   prefix: holdfast
#   replica: gateway-1
#   cluster: false

## The admin API and the sidecar. For text of a model, proxy.maxRequestBytes holds.
api:
  # maxRequestBytes: ${api.maxRequestBytes}

## How the gateway is watched.
observe:
  ## Keep texts, arguments and results of the last requests, in memory only, for the dashboard.
  # capture: ${observe.capture}
  # captureRequests: ${observe.captureRequests}
  ## Show captured arguments and results as they are; masked otherwise.
  # reveal: ${observe.reveal}
  ## Keep on disk what is known of requests, never what was said in them.
  # history: ${observe.history}
  # historyDir: ./history
  # historyMaxBytes: ${observe.historyMaxBytes}
  # historyMaxAgeDays: ${observe.historyMaxAgeDays}
  ## Metrics for Prometheus at /metrics, and the dashboard at /.
  # metrics: ${observe.metrics}
  # dashboard: ${observe.dashboard}

## debug, info, warn, error or silent. The variable HOLDFAST_LOG wins over it.
# log: { level: ${log.level} }

## A folder for one redacted JSON per request; relative to this file.
# traceDir: ./traces

## How long answers under way may take to end when the gateway is stopped.
# shutdownGraceMs: ${shutdownGraceMs}

## What advice in tool results is signed with, where several gateways without a store are to recognize it.
# adviceKey: \${HOLDFAST_ADVICE_KEY:-}
`;
