import type { TurnError } from '../turn/turn-error.ts';

/**
 * Whether an error of an upstream says that the model, or the server as it was started, takes no tools at all.
 * What it says of one tool, of a choice or of a result is no such thing: the tools would work if it were right.
 */
export function toolsRefused({ status, message }: Pick<TurnError, 'status' | 'message'>): boolean {
  if (status !== undefined && !STATUSES.has(status)) return false;
  const said = message.slice(0, LONGEST).replace(UPSTREAM, '').replace(QUOTES, '').toLowerCase();
  return !OTHER_MATTERS.test(said) && REFUSALS.some((refusal) => refusal.test(said));
}

/** llama.cpp answers 500, OpenRouter and OpenAI 404, servers that check the body 422. */
const STATUSES: ReadonlySet<number> = new Set([400, 404, 405, 422, 500, 501]);

/** Servers say it at once; what is longer is a page, or a template they could not fill in. */
const LONGEST = 2_000;

/** What the proxy puts before the upstream's own words, with a name that anybody may have chosen. */
const UPSTREAM = /^upstream "[^"]*" answered \d+: /;
const QUOTES = /["'`’\\]/g;

/** The tools of a request as a whole. One `tool` or `function` is none of these. */
const TOOLS = '(?:tools|functions|(?:tool|function)[ _-]?(?:use|usage|calls?|calling))';
/** The fields; `tools[0].strict` is about one tool. */
const FIELD = String.raw`(?:tools|functions)(?![\w[-]|\.\w)`;
const NOUN = String.raw`(?:param|parameter|argument|field|key|key\(s\)|property)`;
const UNABLE = '(?:does not|doesnt|do not|dont|is not able to|cannot|cant)';
const IS_NOT = '(?:is|are) (?:not|un|dis)';
const NOT_TAKEN =
  '(?:supported|enabled|available|allowed|permitted|recogni[sz]ed|implemented|abled)';

/** Without any `*` or `+`: a message comes from outside, and must not cost more than its length. */
const REFUSALS: readonly RegExp[] = [
  // Ollama: `gemma3:4b does not support tools`
  new RegExp(
    `${UNABLE} (?:currently )?(?:support|accept|advertise|allow|use) (?:the )?${TOOLS}\\b`,
  ),
  // OpenAI: `tools is not supported in this model`; Google: `Function calling is not enabled for …`
  new RegExp(
    `\\b${TOOLS}(?: param(?:eter)?s?| field)? ${IS_NOT} ?(?:yet |fully |currently )?${NOT_TAKEN}`,
  ),
  // Novita: `model features function calling not support`
  new RegExp(`\\b${TOOLS} not support`),
  // llama.cpp: `Unsupported param: tools`; Azure: `Unrecognized request argument supplied: tools`
  new RegExp(
    `\\b(?:unsupported|unrecogni[sz]ed|unknown|unexpected)(?: request| body| keyword)? ${NOUN}(?: supplied| in object)?:? ${FIELD}`,
  ),
  // jsonschema: `Additional properties are not allowed ('tools' was unexpected)`
  /\((?:tools|functions) was unexpected/,
  // pydantic: `{"type": "extra_forbidden", "loc": ["body", "tools"], …}`
  /extra_forbidden, ?loc: ?[[(]body, ?(?:tools|functions)[\])]/,
  /(?:^|[ .])(?:tools|functions): extra inputs are not permitted/,
  new RegExp(`extra inputs are not permitted, field: ${FIELD}`),
  // llama.cpp: `tools param requires --jinja flag`; vLLM: `"auto" tool choice requires --enable-auto-tool-choice …`
  /\btools param requires --jinja/,
  /--enable-auto-tool-choice|--tool-call-parser/,
  // OpenRouter: `No endpoints found that support tool use.`
  new RegExp(`\\bno (?:endpoint|provider|model)s?(?: found)?(?: that)? supports? ${TOOLS}\\b`),
];

/**
 * Too many tools, a kind of tools, tools beside something else, a field of a message. Within a name, such as that
 * of a model, the words say nothing.
 */
const OTHER_MATTERS =
  /(?<![\w/-])(?:parallel|custom|hosted|built-?in|mcp|strict)[ _-](?:tool|function)|\btool use with function|\bin the message\b|\btogether\b|\bcombin|\bsame time\b|\bsimultaneous|\bmore than\b|\btoo many\b|\bmaximum\b|tool_call_id/;
