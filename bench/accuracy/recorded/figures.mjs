/** A ratio in percent, and of how many. */
export function percent(part, whole) {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} % of ${whole}`;
}

/** The counts of all sources added up. */
export function sumOf(results) {
  const sum = {};
  for (const result of results)
    for (const [key, value] of Object.entries(result))
      if (typeof value === 'number') sum[key] = (sum[key] ?? 0) + value;
  return sum;
}
