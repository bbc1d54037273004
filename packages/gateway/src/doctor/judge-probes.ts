import type { DoctorReport, Probe, Verdict } from './doctor-report.ts';

export type Judgement = Pick<DoctorReport, 'verdict' | 'summary' | 'holdfast' | 'hints'>;

/** What two answers to the request for a call say of the server and the model. */
export function judgeProbes(streamed: Probe | undefined, whole: Probe | undefined): Judgement {
  const probes = [streamed, whole].filter((probe) => probe !== undefined);
  const called = probes.filter(({ readBy }) => readBy !== 'none');
  if (called.length === 0) return judgeNone(probes);
  const dialects = [
    ...new Set(called.flatMap((probe) => (probe.readBy === 'holdfast' ? formatsOf(probe) : []))),
  ];
  const invalid = called.filter(({ isValid }) => !isValid);
  const missing = (
    [
      ['streamed', streamed],
      ['whole', whole],
    ] as const
  )
    .filter(([, probe]) => probe?.readBy === 'none')
    .map(([how]) => how);
  const hints = [
    ...(invalid.length > 0 ? ['a call did not fit the tool: Holdfast tells the model why'] : []),
    ...missing.map(
      (how) =>
        `asked for ${how === 'whole' ? 'a whole answer' : 'a stream'}, the model made no call: ask again`,
    ),
  ];
  if (dialects.length > 0) return { ...judgeText(dialects, called), hints };
  const mended = [...new Set(called.flatMap((probe) => probe.mended))];
  if (mended.length > 0) {
    return {
      verdict: 'mended',
      summary: `The server reads the model's calls itself, and gets something wrong: ${mended.join(', ')}.`,
      holdfast: 'sets that right, streamed and whole, and passes the rest on as it is',
      hints,
    };
  }
  return {
    verdict: 'native',
    summary: "The server reads the model's calls itself.",
    holdfast:
      'passes them on as they are, and reads those that slip through as text, as they do with some prompts',
    hints,
  };
}

/** What an answer says of a server that takes no tools, whose model was told of one in its prompt. */
export function judgePrompted(prompted: Probe | undefined): Judgement {
  const isCalled = prompted !== undefined && prompted.readBy !== 'none';
  return {
    verdict: isCalled ? 'prompted' : prompted === undefined ? 'refused' : 'no-calls',
    summary: isCalled
      ? 'The server takes no tools, but the model makes calls where its prompt tells it of them.'
      : `The server takes no tools, and with the tool in its prompt ${prompted === undefined ? 'it did not answer' : 'the model made no call'}.`,
    holdfast:
      'puts tools into the prompt for it, and reads the calls out of the text, in the dialect of the model',
    hints: [
      'works with prompted tools: --tool-mode prompt; auto, the default, finds out by itself',
      ...(isCalled ? [] : ['another dialect may do better: --tool-format, or another model']),
    ],
  };
}

function judgeText(
  dialects: readonly string[],
  called: readonly Probe[],
): Omit<Judgement, 'hints'> {
  const isMixed = called.some(({ readBy }) => readBy === 'server');
  const verdict: Verdict = 'text';
  const when = isMixed ? ' in one of the two ways to ask' : '';
  const repairs = [
    ...new Set(called.flatMap(({ calls }) => calls.flatMap((call) => call.repairs))),
  ];
  const mended = repairs.length === 0 ? '' : `, mending ${repairs.join(', ')}`;
  return {
    verdict,
    summary: `The model's calls arrive as text${when}, in the ${dialects.length === 1 ? 'dialect' : 'dialects'} ${dialects.join(' and ')}: a client shows them and runs nothing.`,
    holdfast: `reads them out of the text${mended}, and tells the client a call it can run`,
  };
}

function judgeNone(probes: readonly Probe[]): Judgement {
  const failure = probes.find((probe) => probe.failure !== undefined)?.failure;
  if (failure !== undefined) {
    return {
      verdict: 'refused',
      summary: `The server gave no answer that can be used: ${failure}`,
      holdfast: 'passes the error on, in the protocol of the client',
      hints: [],
    };
  }
  const isCut = probes.some(({ finishReason }) => finishReason === 'length');
  return {
    verdict: 'no-calls',
    summary: isCut
      ? 'The answer was cut off before there was a call.'
      : 'The model answered without a call that can be read.',
    holdfast: 'passes the answer on as it is: there is no call in it',
    hints: [
      isCut
        ? 'give the model more room: its context may be set too small'
        : 'the model may not be made for tools, or the server may not put them into its prompt',
      'if its answer below holds a call after all, holdfast parse --explain tells why it was not read',
    ],
  };
}

function formatsOf({ calls }: Probe): readonly string[] {
  return calls.map(({ format }) => format);
}
