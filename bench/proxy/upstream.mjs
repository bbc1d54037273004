import { createServer } from 'node:http';
import { setImmediate } from 'node:timers';

/**
 * Stands in for a local model: answers every request with a stream of 100 chunks, or 4,902 where it is asked for
 * the model `long`, each in a write of its own
 * and as fast as they are taken, so that only whoever stands in front of it costs time.
 */
const CHUNKS = 100;
const head = '{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"bench",';
const chunk = (delta, finish) =>
  `data: ${head}"choices":[{"index":0,"delta":${JSON.stringify(delta)},"finish_reason":${JSON.stringify(finish)}}]}\n\n`;
const words = 'the quick brown fox jumps over a lazy dog and then it sleeps '.split(' ');
const texts = Array.from({ length: CHUNKS - 2 }, (_, at) => `${words[at % words.length]} `);
const makeFrames = (contents) => [
  chunk({ role: 'assistant', content: '' }, null),
  ...contents.map((content) => chunk({ content }, null)),
  chunk({}, 'stop') + 'data: [DONE]\n\n',
];
const short = makeFrames(texts);
/** What the model `long` answers: what a stream of many minutes has. */
const long = makeFrames(Array.from({ length: 50 }, () => texts).flat());

const CALL = '<tool_call>{"name":"get_weather","arguments":{"city":"Oslo"}}</tool_call>';
/** What models answer that call in text: first of all, and last. */
const callFirst = makeFrames([CALL, ...texts]);
const callLast = makeFrames([...texts, CALL]);

/** What a model that is asked for by this name takes before its first word. No real one is quicker. */
const THINKS_MS = 1;

/** Between two chunks of a model that calls. */
const CHUNK_MS = 2;

function think() {
  // A timer would be late by as much as is to be measured.
  for (const start = performance.now(); performance.now() - start < THINKS_MS;);
}

const server = createServer((request, response) => {
  let isThinker = false;
  let isPaced = false;
  let frames = short;
  request.once('data', (chunk) => {
    isThinker = chunk.includes('"model":"thinker"');
    if (chunk.includes('"model":"long"')) frames = long;
    if (chunk.includes('"model":"call-first"')) frames = callFirst;
    if (chunk.includes('"model":"call-last"')) frames = callLast;
    isPaced = frames === callFirst || frames === callLast;
  });
  request.resume();
  request.on('end', () => {
    if (isThinker) think();
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    let at = 0;
    const writeNext = () => {
      if (response.destroyed) return;
      const frame = frames[at++];
      if (at === frames.length) return response.end(frame);
      response.write(frame);
      // One chunk per turn of the loop, as a model would send them: none are joined.
      if (isPaced) setTimeout(writeNext, CHUNK_MS);
      else setImmediate(writeNext);
    };
    writeNext();
  });
});
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
process.on('disconnect', () => process.exit());
