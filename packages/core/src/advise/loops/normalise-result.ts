/**
 * A result without what differs each time although nothing changed: colours, times, durations, process
 * numbers, addresses, names of temporary files, ids of requests.
 */
export function normaliseResult(text: string): string {
  let plain = text;
  for (const [pattern, replacement] of VOLATILE) plain = plain.replace(pattern, replacement);
  // Line by line: one expression for space before line ends takes its time over long runs of space.
  return plain
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();
}

const VOLATILE: readonly (readonly [RegExp, string])[] = [
  [/\x1b\[[\d;?]*[a-z]/gi, ''],
  [/\r/g, ''],
  [/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?/g, '<time>'],
  [/\b\d{1,2}:\d\d:\d\d(?:[.,]\d{1,9})?\b/g, '<time>'],
  // Seconds or milliseconds since 1970, of these years.
  [/\b1[6-9]\d{8}(?:\d{3})?\b/g, '<time>'],
  [/\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/gi, '<id>'],
  [/\b(req|request|trace|correlation)([-_ ]?id)?(["']?[:=_ ]{1,2}["']?)[\w-]{6,}/gi, '$1$2$3<id>'],
  [/\b0x[\da-f]{4,}\b/gi, '<address>'],
  [/\b(pid|process)([ :=#]{1,2})\d+/gi, '$1$2<pid>'],
  [/\/(?:tmp|var\/folders)\/[^\s"':,;)]+/g, '<temporary>'],
  [/\b\d+(?:\.\d+)? ?(?:ns|µs|us|ms|s|sec|secs|seconds?|min|mins|minutes?)\b/g, '<duration>'],
];
