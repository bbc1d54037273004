import type { Clock } from '@holdfast/core';
import { systemClock } from '@holdfast/core/guard';
import type { UpstreamProtocol } from '../config/gateway-config.ts';
import { toolsRefused } from '../proxy/prompt/tools-refused.ts';
import { describeRefusal, hintsFor } from './describe-refusal.ts';
import { DoctorClient } from './doctor-client.ts';
import type { Asked } from './doctor-client.ts';
import type { Attempt, DoctorReport, Probe } from './doctor-report.ts';
import { guessServer } from './guess-server.ts';
import { judgeProbes, judgePrompted } from './judge-probes.ts';
import type { Judgement } from './judge-probes.ts';
import { lookAround } from './look-around.ts';
import { nextCommands } from './next-commands.ts';
import { NOT_THERE, probeProtocols } from './probe-protocols.ts';
import { probeRequest, promptedRequest } from './probe-request.ts';
import { firstChatModel, readModelList } from './read-model-list.ts';
import { readProbe } from './read-probe.ts';

export interface DoctorOptions {
  /** Up to the version, as an upstream is configured. */
  readonly url: string;
  readonly model?: string;
  readonly apiKey?: string;
  /** For each answer of the model. */
  readonly timeoutMs: number;
  /** Where else to look on this machine. @defaultValue where servers usually listen */
  readonly ports?: readonly number[];
  readonly clock?: Clock;
}

/** A list of models is short, but a server that is busy may take its time. */
const LIST_TIMEOUT_MS = 10_000;

/** Asks a server for a tool call and tells what comes back. Never rejects because of the server. */
export async function runDoctor(options: DoctorOptions): Promise<DoctorReport> {
  const { apiKey, clock = systemClock } = options;
  const client = new DoctorClient(apiKey, clock);
  try {
    return await new Examination(options, client).run();
  } finally {
    await client.close();
  }
}

class Examination {
  readonly #options: DoctorOptions;
  readonly #client: DoctorClient;
  readonly #tried: Attempt[] = [];
  readonly #hints: string[] = [];
  #server: string | undefined;
  #models: readonly string[] = [];
  #status = 0;
  #protocols: readonly UpstreamProtocol[] = [];
  #refusesTools = false;

  constructor(options: DoctorOptions, client: DoctorClient) {
    this.#options = options;
    this.#client = client;
  }

  async run(): Promise<DoctorReport> {
    const isThere = await this.#listModels();
    const model = this.#options.model ?? firstChatModel(this.#models);
    if (!isThere && (model === undefined || this.#status !== 404)) return this.#unreachable();
    if (model === undefined) {
      this.#hints.push('load a model in the server, or name one with --model');
      return this.#report(NO_MODEL, undefined);
    }
    const whole = await this.#probe(model, 'whole');
    const streamed = await this.#probe(model, 'streamed');
    const isAnswered = whole !== undefined || streamed !== undefined;
    const isPrompted = this.#refusesTools && !isAnswered;
    const prompted = isPrompted ? await this.#probe(model, 'prompted') : undefined;
    const speaksChat = isAnswered || isPrompted;
    // A server that wants a key, is down or says nothing would do the same in any other protocol.
    if (speaksChat || NOT_THERE.has(this.#status)) await this.#tryProtocols(model, speaksChat);
    if (isPrompted) return this.#report(judgePrompted(prompted), model, { prompted });
    if (!isAnswered) return this.#report(REFUSED, model);
    if (this.#refusesTools) {
      this.#hints.push(
        'one of the two ways to ask takes no tools: --tool-mode prompt works in both',
      );
    }
    return this.#report(judgeProbes(streamed, whole), model, { streamed, whole });
  }

  async #tryProtocols(model: string, speaksChat: boolean): Promise<void> {
    const { url, timeoutMs } = this.#options;
    const { spoken, tried } = await probeProtocols(this.#client, { url, model, timeoutMs });
    this.#tried.push(...tried);
    this.#protocols = speaksChat ? ['chat', ...spoken] : spoken;
    if (this.#protocols.join() === 'chat,responses') {
      this.#hints.push('a holdfast.yaml can say that it speaks both: protocols: [chat, responses]');
    }
    if (!speaksChat && spoken.length > 0) {
      this.#hints.push(`it does not answer Chat Completions, but speaks ${spoken.join(' and ')}`);
    }
  }

  /** Whether there is a server that lists its models. */
  async #listModels(): Promise<boolean> {
    const url = `${this.#options.url}/models`;
    const asked = await this.#client.ask(url, { timeoutMs: LIST_TIMEOUT_MS });
    const list = asked.ok && asked.status === 200 ? readModelList(asked.body) : undefined;
    const count = list?.ids.length ?? 0;
    const models = `${count} ${count === 1 ? 'model' : 'models'}`;
    if (!this.#note('GET', url, asked, list === undefined ? undefined : models)) return false;
    this.#models = list?.ids ?? [];
    const { port, protocol } = new URL(url);
    const number = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
    const headers = asked.ok ? asked.headers : {};
    this.#server = guessServer({ headers, owners: list?.owners ?? [], port: number });
    const { model } = this.#options;
    if (model !== undefined && !this.#models.includes(model)) {
      this.#hints.push(`the server does not list ${model}; it lists ${shortList(this.#models)}`);
    }
    return true;
  }

  async #probe(model: string, how: 'whole' | 'streamed' | 'prompted'): Promise<Probe | undefined> {
    const url = `${this.#options.url}/chat/completions`;
    const { timeoutMs } = this.#options;
    const stream = how === 'streamed';
    const body = how === 'prompted' ? promptedRequest(model) : probeRequest(model, stream);
    const asked = await this.#client.ask(url, { timeoutMs, body });
    const refusal = asked.ok ? describeRefusal(asked) : undefined;
    if (asked.ok && refusal !== undefined && how !== 'prompted') {
      this.#refusesTools ||= toolsRefused({ status: asked.status, message: refusal });
    }
    if (!asked.ok || refusal !== undefined) {
      this.#note(`POST (${how})`, url, asked, undefined);
      return undefined;
    }
    const isStream = /^\s*(?:data:|event:|:)/.test(asked.body);
    const probe = readProbe(asked.body, isStream, model);
    const said = probe.failure ?? describeProbe(probe);
    const odd =
      isStream === stream ? '' : `${isStream ? 'a stream' : 'a whole answer'} all the same; `;
    this.#note(
      `POST (${how})`,
      url,
      asked,
      probe.failure === undefined ? odd + said : undefined,
      said,
    );
    return probe;
  }

  /** Remembers a request and what came of it. Returns whether that was what was asked for. */
  #note(
    method: string,
    url: string,
    asked: Asked,
    good: string | undefined,
    bad = 'answered with something else than was asked for',
  ): boolean {
    const request = `${method} ${url}`;
    if (!asked.ok) {
      this.#tried.push({ request, ok: false, outcome: asked.failure.message });
      return false;
    }
    this.#status = asked.status;
    const refusal = describeRefusal(asked);
    if (refusal !== undefined && !this.#refusesTools) {
      this.#hints.push(...hintsFor(asked.status, this.#options.apiKey !== undefined));
    }
    const outcome =
      good === undefined ? (refusal ?? bad) : `${asked.status} in ${asked.ms} ms: ${good}`;
    this.#tried.push({ request, ok: good !== undefined, outcome });
    return good !== undefined;
  }

  async #unreachable(): Promise<DoctorReport> {
    const { url, ports } = this.#options;
    // An answer that asks for a key comes from the right place.
    const isWrongPlace = this.#status === 0 || this.#status === 404 || this.#status === 200;
    if (isWrongPlace) {
      // What listens at other ports is not meant to see the key.
      const stranger = new DoctorClient(undefined, this.#options.clock ?? systemClock);
      const { tried, found } = await lookAround(url, stranger, ports);
      await stranger.close();
      this.#tried.push(...tried);
      this.#hints.push(...found.map((address) => `a model server answers at ${address}`));
      if (found.length === 0 && this.#status === 0) {
        this.#hints.push('start the server, and its API: in LM Studio that is a switch of its own');
      }
    }
    return this.#report(UNREACHABLE, undefined);
  }

  #report(
    judgement: Judgement,
    model: string | undefined,
    probes: Partial<Pick<DoctorReport, 'streamed' | 'whole' | 'prompted'>> = {},
  ): DoctorReport {
    const { url, apiKey } = this.#options;
    const { hints, ...rest } = judgement;
    return {
      upstream: url,
      ...rest,
      tried: this.#tried,
      server: this.#server,
      models: this.#models,
      model,
      streamed: probes.streamed,
      whole: probes.whole,
      prompted: probes.prompted,
      protocols: this.#protocols,
      hints: [...new Set([...this.#hints, ...hints])],
      commands: nextCommands({
        ...rest,
        url,
        model,
        hasKey: apiKey !== undefined,
        hints: this.#hints,
        protocols: this.#protocols,
      }),
    };
  }
}

const PASSES_ERRORS =
  'answers requests with an error that says the same, in the protocol of the client';

const UNREACHABLE: Judgement = {
  verdict: 'unreachable',
  summary: 'There is no model server that could be asked at this address.',
  holdfast: PASSES_ERRORS,
  hints: [],
};

const NO_MODEL: Judgement = {
  verdict: 'refused',
  summary: 'The server lists no model.',
  holdfast: PASSES_ERRORS,
  hints: [],
};

const REFUSED: Judgement = {
  verdict: 'refused',
  summary: 'The server did not answer a request with a tool.',
  holdfast: PASSES_ERRORS,
  hints: ['the server may not know the model: try another with --model'],
};

function describeProbe({ readBy, calls }: Probe): string {
  const [call] = calls;
  if (call === undefined) return 'no call';
  return readBy === 'server' ? 'a call that the server read' : `a call as text, ${call.format}`;
}

function shortList(names: readonly string[]): string {
  const shown = names.slice(0, 5).join(', ');
  return names.length > 5 ? `${shown} and ${names.length - 5} more` : shown;
}
