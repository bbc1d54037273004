import { freePort } from './free-port.ts';

/** The ports of a page are names: what the page says listens at one of them may listen elsewhere. */
export class PagePorts {
  readonly #real = new Map<string, string>();

  /** A text of the page as it is on this machine; ports that nothing was heard of yet are chosen. */
  async toReal(text: string): Promise<string> {
    for (const port of portsIn(text))
      if (!this.#real.has(port)) this.#real.set(port, String(await freePort()));
    return replacePorts(text, this.#real);
  }

  /** An output as the page would have it. */
  toPage(output: string): string {
    return replacePorts(output, new Map([...this.#real].map(([name, real]) => [real, name])));
  }

  /** Finds out what ports of the page are, in the order in which both name new ones. */
  learn(page: string, output: string): void {
    const known = new Set(this.#real.values());
    const found = portsIn(output).filter((port) => !known.has(port));
    for (const name of portsIn(page)) {
      const real = this.#real.has(name) ? undefined : found.shift();
      if (real !== undefined) this.#real.set(name, real);
    }
  }
}

const PORT = /(?<=127\.0\.0\.1:|--port )\d+/g;

const portsIn = (text: string): string[] => [...new Set(text.match(PORT) ?? [])];

const replacePorts = (text: string, by: ReadonlyMap<string, string>): string =>
  text.replace(PORT, (port) => by.get(port) ?? port);
