import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { compareTrees } from './compare.ts';
import { CompatError } from './compatError.ts';
import { describeComparison, isCompatible } from './report.ts';
import { buildRemotes } from './trees/builtRemotes.ts';
import { findOlder } from './trees/git.ts';
import { withOlderTree } from './trees/olderTree.ts';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url)).replace(/[/\\]$/, '');

const USAGE = `Usage: npm run compat [-- <tag or commit>] [-- --json]

Checks whether the remotes of an older commit work in this tree's shell, and those
of this tree in the older shell. Default: the newest tag, else the commit before HEAD.

  --json    print the comparison as JSON, with every reason
  --help

Exit status: 0 compatible, 1 not compatible, 2 the comparison failed.
`;

const report = (line: string) => process.stderr.write(`${line}\n`);

async function run(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { json: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  if (positionals.length > 1)
    throw new CompatError('UNKNOWN_REF', `expected one commit, not ${positionals.join(', ')}`);
  const { label, commit } = await findOlder(ROOT, positionals[0]);
  report(`comparing this tree with ${label} (${commit.slice(0, 10)})`);
  return withOlderTree(ROOT, commit, report, async (older) => {
    await buildRemotes(ROOT, { onBuilt: (name) => report(`built ${name}`) });
    await buildRemotes(older, {
      cache: join(ROOT, '.cache/compat', commit),
      onBuilt: (name) => report(`built ${name} of ${label}`),
    });
    const comparison = await compareTrees(ROOT, older);
    process.stdout.write(
      values.json
        ? `${JSON.stringify({ older: label, commit, isCompatible: isCompatible(comparison), ...comparison }, null, 2)}\n`
        : `\n${describeComparison(comparison, label)}`,
    );
    return isCompatible(comparison) ? 0 : 1;
  });
}

try {
  process.exitCode = await run();
} catch (error) {
  // parseArgs throws a TypeError with a code for unknown options.
  const isCommandLine = error instanceof TypeError && 'code' in error;
  if (!isCommandLine && !(error instanceof CompatError)) throw error;
  const isUsageError = isCommandLine || error.code === 'UNKNOWN_REF';
  process.stderr.write(`${error.message}\n${isUsageError ? `\n${USAGE}` : ''}`);
  process.exitCode = 2;
}
