import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

const testApi = new URL('test-api.mjs', import.meta.url).href;
/** Where `@holdfast/core` is linked to. What is mutated is a copy. */
const packages = new URL('../../packages/', import.meta.url).href;

/**
 * Loads the modules of a folder, as often as that is asked for: Node loads a module once, and a mutant in what
 * runs when a module is loaded is only seen by those that load it anew.
 */
export class ModuleGraph {
  #generation = 0;
  #importers = new Map();

  constructor(folder) {
    const own = pathToFileURL(`${folder}/`).href;
    const isOwn = (url) => url.startsWith(own) && !url.includes('/node_modules/');
    registerHooks({
      resolve: (specifier, context, next) => {
        if (specifier === 'vitest') return { url: testApi, format: 'module', shortCircuit: true };
        const conditions = [...context.conditions, '@holdfast/source'];
        const resolved = next(specifier, { ...context, conditions });
        const found = resolved.url.replace(packages, `${own}packages/`);
        if (!isOwn(found)) return resolved;
        const url = found.split('?')[0];
        this.#remember(url, context.parentURL?.split('?')[0]);
        return { ...resolved, url: `${url}?generation=${this.#generation}` };
      },
    });
  }

  /** From now on every module is a new one. */
  renew() {
    this.#generation += 1;
  }

  load(file) {
    return import(pathToFileURL(file).href);
  }

  /** Which modules import which, as far as they were loaded: what another graph of the folder may begin with. */
  get importers() {
    return [...this.#importers].map(([url, importers]) => [url, [...importers]]);
  }

  set importers(known) {
    this.#importers = new Map(known.map(([url, importers]) => [url, new Set(importers)]));
  }

  /** All modules that import this one, directly or not, as far as that is known. */
  importersOf(file) {
    const found = new Set([pathToFileURL(file).href]);
    for (const url of found) for (const one of this.#importers.get(url) ?? []) found.add(one);
    return found;
  }

  #remember(url, importer) {
    if (importer === undefined) return;
    const importers = this.#importers.get(url);
    if (importers === undefined) this.#importers.set(url, new Set([importer]));
    else importers.add(importer);
  }
}
