/** How many are under way, where there are thousands. */
const AT_ONCE = 48;

/** Does something for 0 up to a number, many at once. */
export async function eachAtOnce(
  count: number,
  work: (index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const walk = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, walk));
}
