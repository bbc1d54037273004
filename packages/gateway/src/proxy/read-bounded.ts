/** Reads a body as text. One that is longer than `maxBytes` is an error, or is cut. */
export async function readBounded(
  body: AsyncIterable<unknown>,
  maxBytes: number,
  beyond: 'fail' | 'cut' = 'fail',
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    if (!(chunk instanceof Uint8Array)) continue;
    chunks.push(chunk);
    length += chunk.length;
    if (length <= maxBytes) continue;
    if (beyond === 'cut') break;
    throw new Error(`its answer is larger than ${maxBytes} bytes`);
  }
  return Buffer.concat(chunks).subarray(0, maxBytes).toString('utf8');
}
