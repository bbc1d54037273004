import { register } from 'node:module';

// `node --import ./fuzz/instrument/register.mjs`: sources are compiled as they are loaded, those of ours with counters.
register('./hooks.mjs', import.meta.url);
