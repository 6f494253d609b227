import { resolve } from 'node:path';
import { boundaryProblems, cycleProblems } from './importRules.ts';
import { readSources } from './sources.ts';

// `npm run lint` runs this: one line for each forbidden import, exit status 1 if there is any.
const sources = readSources(resolve(import.meta.dirname, '../../../..'));
const problems = [...boundaryProblems(sources), ...cycleProblems(sources)];
for (const { file, line, rule, message } of problems)
  process.stderr.write(`${file}:${line} ${rule}: ${message}\n`);
if (problems.length > 0) {
  process.stderr.write(`${problems.length} problems with imports\n`);
  process.exitCode = 1;
}
