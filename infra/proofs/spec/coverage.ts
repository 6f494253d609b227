import { parseArgs } from 'node:util';
import { formatTable, measureCoverage, readCitations, readRequirements } from './report.ts';

const { values } = parseArgs({ options: { owner: { type: 'string' } } });
const rows = readRequirements();
const citations = readCitations();
const { owners, uncovered, unknown } = measureCoverage(rows, citations);

console.log(formatTable(owners));
if (values.owner !== undefined) {
  if (!owners.some(({ owner }) => owner === values.owner)) {
    console.error(`\nNo row is owned by '${values.owner}'.`);
    process.exitCode = 1;
  }
  const open = uncovered.filter((row) => row.owner === values.owner);
  console.log(`\n${open.length} rows of ${values.owner} that no test cites:`);
  for (const { id, area, requirement } of open)
    console.log(`${id.padEnd(18)}${area.padEnd(18)}${requirement}`);
}
if (unknown.length > 0) {
  console.error('\nCited, but not in requirements.tsv:');
  for (const { id, file, line } of unknown) console.error(`${id.padEnd(18)}${file}:${line}`);
  process.exitCode = 1;
}
