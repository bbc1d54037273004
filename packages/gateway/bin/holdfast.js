#!/usr/bin/env node

// An agent waits for the hook at every call of a tool: it is joined into few files, apart from all the rest. This
// file is CommonJS, as its neighbor package.json says, because Node takes milliseconds to start its loader of modules.
if (process.argv[2] === 'hook') require('../dist/hook/hook-main.cjs');
else import('../dist/cli/main.js');
