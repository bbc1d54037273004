import type { Mood, PictureWorld } from './picture-world.ts';

const MODELS = [
  'qwen3-coder',
  'qwen3-coder',
  'qwen3-coder',
  'harmony',
  'harmony',
  'llama3-json',
  'mistral',
  'mistral',
  'kimi-k2',
  'qwen-single-quotes',
  'qwen-single-quotes',
  'qwen-missing-brace',
  'qwen-trailing-comma',
  'glm',
];

const QUESTION = 'What is the weather in Oslo?';

const DOWN: Mood = { share: 1, says: '503 Service Unavailable: quotes are being rebuilt' };
const BUSY: Mood = { share: 0.2, says: '429 Too Many Requests: 60 searches a minute' };
const SLOW: Mood = { share: 0.06, says: 'ETIMEDOUT: connect to 10.0.4.17:8443' };

/** How tools fail by now, of 0..1 of the quarter of an hour. */
function moodsAt(time: number): Readonly<Record<string, Mood>> {
  const isDown = (time > 0.38 && time < 0.52) || time > 0.97;
  return {
    web_search: BUSY,
    charge_card: SLOW,
    ...(isDown && { get_quote: DOWN, book_flight: { ...DOWN, share: time > 0.97 ? 1 : 0.5 } }),
  };
}

/** Has everything used until the clock has caught up. */
export async function makeTraffic(world: PictureWorld, takesMs: number): Promise<void> {
  // Every server is there, and every connection open, before time flies.
  for (const tool of world.tools) await world.call(tool, 0);
  for (const model of new Set(MODELS)) await world.turn(model, QUESTION);
  world.clock.begin();
  const startedAt = performance.now();
  const running = new Set<Promise<unknown>>();
  const start = (work: Promise<unknown>): void => {
    const settled = work.catch(() => undefined).finally(() => running.delete(settled));
    running.add(settled);
  };
  let made = 0;
  for (let round = 0; !world.clock.hasCaughtUp; round++) {
    const time = (performance.now() - startedAt) / takesMs;
    world.setMoods(moodsAt(time));
    // As people work: in waves.
    const calls = Math.round(2.4 + 1.3 * Math.sin(time * 9) + 0.7 * Math.sin(time * 31));
    for (let at = 0; at < calls && running.size < 24; at++, made++) {
      start(world.call(world.tools[(made * 7) % world.tools.length] ?? '', made));
    }
    if (round % 3 === 0 && running.size < 28) {
      start(world.turn(MODELS[round % MODELS.length] ?? '', QUESTION));
    }
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
  await Promise.all(running);
  // What the pictures show last: a call that was cut off, and circuits in every state.
  await world.turn('mistral', QUESTION, 9);
  await act(world, 'payments/charge_card', 'isolate', {
    reason: 'The bank is moving; back on Monday',
  });
  await act(world, 'files/list_files', 'isolate', { reason: 'Trying out', for_seconds: 0.1 });
  // A model that does not listen: the same call again and again.
  for (const tool of ['travel__book_flight', 'travel__get_quote']) {
    for (let times = 0; times < 6; times++) await world.call(tool, 7);
  }
}

async function act(
  world: PictureWorld,
  circuit: string,
  action: 'reset' | 'isolate',
  body: object,
): Promise<void> {
  const path = `${world.url}/api/v1/circuits/${encodeURIComponent(circuit)}/${action}`;
  const answer = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(await answer.text());
}
