let calls = 0;

/** No two calls are the same, as those of an agent at work are not. */
async function call(client) {
  const message = `The quick brown fox jumps over ${++calls} lazy dogs.`;
  const { content } = await client.callTool({ name: 'echo', arguments: { message } });
  if (content[0]?.text !== message)
    throw new Error(`the echo server said ${JSON.stringify(content)}`);
}

/** Calls one after the other: milliseconds of the one in the middle, and how many in a second. */
export async function callOneByOne(client, count) {
  const times = [];
  for (let number = 0; number < count; number++) {
    const start = performance.now();
    await call(client);
    times.push(performance.now() - start);
  }
  const perSecond = (count * 1000) / times.reduce((sum, time) => sum + time);
  return { p50: times.sort((a, b) => a - b)[count >> 1], perSecond };
}

/** Calls of which that many are under way all the time: how many in a second. */
export async function callAtOnce(client, count, inFlight) {
  let left = count;
  const start = performance.now();
  const work = async () => {
    while (left-- > 0) await call(client);
  };
  await Promise.all(Array.from({ length: inFlight }, work));
  return (count * 1000) / (performance.now() - start);
}
