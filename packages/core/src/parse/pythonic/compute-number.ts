/** More operators than these are no slip of a model but a computation. */
const MOST_OPERATORS = 32;

/**
 * What `+ - * /` and parentheses over number literals come to: `0.02/12`, `(5 + 7) * 12`. Undefined for any
 * other text, for a division by zero, and for a result that is no finite number.
 */
export function computeNumber(text: string): number | undefined {
  const tokens = text.match(TOKEN) ?? [];
  if (tokens.join('') !== text.replace(SPACE, '')) return undefined;
  const expression = new Expression(tokens);
  const value = expression.sum();
  const isWhole = expression.isAtEnd && expression.operators <= MOST_OPERATORS;
  return isWhole && value !== undefined && Number.isFinite(value) ? value : undefined;
}

const SPACE = /\s+/g;
/** Two operators never join to one: `**` and `//` mean something else. */
const TOKEN = /\d[\d_]*(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|\*\*|\/\/|[-+*/()]/g;

/** Reads an expression by recursive descent; the operators it may have bound its depth. */
class Expression {
  operators = 0;
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#tokens.length;
  }

  sum(): number | undefined {
    let left = this.#product();
    for (let sign = this.#take('+', '-'); sign !== ''; sign = this.#take('+', '-')) {
      const right = this.#product();
      if (left === undefined || right === undefined) return undefined;
      left = sign === '+' ? left + right : left - right;
    }
    return left;
  }

  #product(): number | undefined {
    let left = this.#factor();
    for (let sign = this.#take('*', '/'); sign !== ''; sign = this.#take('*', '/')) {
      const right = this.#factor();
      if (left === undefined || right === undefined) return undefined;
      left = sign === '*' ? left * right : left / right;
    }
    return left;
  }

  #factor(): number | undefined {
    if (this.operators > MOST_OPERATORS) return undefined;
    const sign = this.#take('+', '-');
    if (sign !== '') {
      const value = this.#factor();
      return value === undefined ? undefined : sign === '-' ? 0 - value : value;
    }
    if (this.#take('(') !== '') {
      const value = this.sum();
      return this.#take(')') === '' ? undefined : value;
    }
    const token = this.#tokens[this.#at] ?? '';
    if (!/^[\d.]/.test(token)) return undefined;
    this.#at++;
    return Number(token.replaceAll('_', ''));
  }

  #take(...wanted: readonly string[]): string {
    const token = this.#tokens[this.#at];
    if (token === undefined || !wanted.includes(token)) return '';
    this.#at++;
    if (token !== ')') this.operators++;
    return token;
  }
}
