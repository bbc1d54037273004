import { runConformance } from './run-conformance.ts';

process.exitCode = runConformance(process.argv.slice(2), (line) => console.log(line));
