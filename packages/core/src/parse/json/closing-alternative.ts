import {
  LEFT_DOUBLE_QUOTE,
  LEFT_GUILLEMET,
  LEFT_SINGLE_QUOTE,
  RIGHT_DOUBLE_QUOTE,
  RIGHT_GUILLEMET,
  RIGHT_SINGLE_QUOTE,
} from './char-code.ts';

/** The other quote that may close a string which `quote` opened; `quote` itself where there is none. */
export function closingAlternative(quote: number): number {
  if (quote < 0x80) return quote;
  switch (quote) {
    case LEFT_DOUBLE_QUOTE:
      return RIGHT_DOUBLE_QUOTE;
    case LEFT_SINGLE_QUOTE:
      return RIGHT_SINGLE_QUOTE;
    case LEFT_GUILLEMET:
      return RIGHT_GUILLEMET;
    case RIGHT_DOUBLE_QUOTE:
      return LEFT_DOUBLE_QUOTE;
    default:
      return quote;
  }
}
