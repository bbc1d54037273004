import type { RecordedRequest, Script } from './scripted-upstream.ts';

/** A call as a model of Google's makes it. */
export interface GeminiCall {
  readonly name: string;
  readonly args: object;
}

/** The result of a call as the model is sent it: one of both. */
export interface GeminiResult {
  readonly output?: string;
  readonly error?: string;
}

/** A model that makes these calls, those of one answer in a list, and then says that it is done. */
export const scriptedGemini =
  (story: () => readonly (readonly GeminiCall[])[]): Script =>
  (request) => {
    if (request.path.includes(':countTokens')) return { body: JSON.stringify({ totalTokens: 1 }) };
    const { contents = [], tools } = bodyOf(request);
    const answered = contents.filter(({ parts = [] }) => parts.some(isCall)).length;
    // What it asks besides, such as which model should answer, is asked without tools.
    const calls = tools === undefined ? undefined : story()[answered];
    const parts = calls?.map((functionCall) => ({ functionCall })) ?? [{ text: 'Done.' }];
    const answer = JSON.stringify({
      candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
      modelVersion: 'scripted',
    });
    const isStream = request.path.includes(':streamGenerateContent');
    return { body: isStream ? `data: ${answer}\r\n\r\n` : answer };
  };

/** The results of all calls that a request tells of, in order. */
export function geminiResults(request: RecordedRequest): readonly GeminiResult[] {
  const { contents = [] } = bodyOf(request);
  return contents.flatMap(({ parts = [] }) =>
    parts.flatMap(({ functionResponse }) => functionResponse?.response ?? []),
  );
}

const isCall = ({ functionCall }: Part): boolean => functionCall !== undefined;

interface Part {
  readonly functionCall?: unknown;
  readonly functionResponse?: { readonly response: GeminiResult };
}

interface Body {
  readonly contents?: readonly { readonly parts?: readonly Part[] }[];
  readonly tools?: unknown;
}

const bodyOf = ({ json }: RecordedRequest): Body => json ?? {};
