import { CONFIG_DEFAULTS } from './config-defaults.ts';

const { listen, upstream, proxy, log, shutdownGraceMs } = CONFIG_DEFAULTS;
const { normalise } = proxy;

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

## The servers that run models. The first one that has the model is asked.
upstreams:
  - name: lm-studio
    url: http://127.0.0.1:1234/v1
    ## Ollama: http://127.0.0.1:11434/v1   llama.cpp: http://127.0.0.1:8080/v1   vLLM: http://127.0.0.1:8000/v1

    ## Its key. Without one, the key that the client sends is passed on.
    # apiKey: \${LM_API_KEY:-}

    ## What it is asked in: chat (Chat Completions), messages (Anthropic Messages), or both.
    # protocols: [${upstream.protocols.join(', ')}]

    ## What clients may ask it for. * stands for any characters; text that begins with * needs quotes.
    # models: ['*']

    ## What clients ask for, and what the upstream is asked for instead.
    # modelMap: { 'claude-*': qwen3-coder }

    # headers: { x-team: local }
    # connectTimeoutMs: ${upstream.connectTimeoutMs}
    # firstByteTimeoutMs: ${upstream.firstByteTimeoutMs}
    # idleTimeoutMs: ${upstream.idleTimeoutMs}

proxy:
  ## Tell the arguments of a call while they are read, before it is known to be whole.
  # eager: ${proxy.eager}

  ## Calls written inside reasoning: if-unclosed, ignore or read.
  # callsInReasoning: ${proxy.callsInReasoning}
  # maxRequestBytes: ${proxy.maxRequestBytes}
  # keepAliveMs: ${proxy.keepAliveMs}

  ## What is changed in requests so that local servers accept them.
  normalise:
    # systemInTheMiddle: ${normalise.systemInTheMiddle}
    # deferLoading: ${normalise.deferLoading}
    # hostedTools: ${normalise.hostedTools}
    # parameterProperties: ${normalise.parameterProperties}
    # emptyToolResults: ${normalise.emptyToolResults}
    # toolResultBlocks: ${normalise.toolResultBlocks}
    # callArguments: ${normalise.callArguments}
    # unknownFields: ${normalise.unknownFields}
    ## pass, or refuse for models that cannot see.
    # images: ${normalise.images}

## debug, info, warn, error or silent. The variable HOLDFAST_LOG wins over it.
# log: { level: ${log.level} }

## A folder for one redacted JSON per request; relative to this file.
# traceDir: ./traces

## How long answers under way may take to end when the gateway is stopped.
# shutdownGraceMs: ${shutdownGraceMs}
`;
