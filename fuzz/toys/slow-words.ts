/** Looks at all words again at every hundredth: what it costs grows with the square of the text. */
export function waitFor(text: string): number {
  const words = text.split(' ');
  let steps = 0;
  for (let at = 0; at < words.length; at += 100)
    steps += words.filter((other) => other === words[at]).length;
  return steps;
}
