// What is measured is what is published: the built package, not its source through a loader.
export * from '../packages/core/dist/guard/index.js';
export * from '../packages/core/dist/parse/index.js';
