#!/usr/bin/env node

// An agent waits for the hook at every call of a tool: it is joined into few files, apart from all the rest.
await import(process.argv[2] === 'hook' ? '../dist/hook/hook-main.js' : '../dist/cli/main.js');
