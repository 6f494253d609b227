import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildRemotes, CompatError, findOlder, remotesOf, withOlderTree } from './trees/builtTrees.ts';
import {
  type ContractJudgement,
  isTooLow,
  judge,
  judgeBoth,
  judgeContracts,
  type Judgement,
  smallestVersion,
  usedContracts,
} from './contract/judge.ts';
import { pendingVersions } from './contract/pendingVersions.ts';
import { existsSync, readFileSync } from 'node:fs';
import { releaseManifestSchema } from '@forecourt/releases/manifest';
import { type HostResult, runHost, type TreeFacts } from './host/runHost.ts';

interface RemoteComparison {
  readonly remote: string;
  /** The older release in this tree's shell; absent when the older tree has no such remote. */
  readonly olderHere?: Judgement;
  /** This tree's release in the older shell; absent when this tree has no such remote. */
  readonly hereInOlder?: Judgement;
}

export interface Comparison {
  readonly remotes: readonly RemoteComparison[];
  readonly contracts: readonly ContractJudgement[];
}

const distOf = (root: string, name: string): string => join(root, name, 'dist');

async function compareInHost(host: string, guests: string): Promise<HostResult> {
  const remotes = remotesOf(guests).map((name) => ({
    name,
    guest: distOf(guests, name),
    ...(existsSync(distOf(host, name)) && { own: distOf(host, name) }),
  }));
  return runHost({ root: host, remotes }).catch((error: unknown) => {
    const { stderr } = error as { stderr?: string };
    throw new CompatError('HOST_FAILED', `the contracts of ${host} do not run:\n${stderr ?? String(error)}`, {
      cause: error,
    });
  });
}

function judgeGuest(
  root: string,
  name: string,
  home: TreeFacts,
  { facts, renders }: HostResult,
): Judgement | undefined {
  if (!existsSync(distOf(root, name))) return undefined;
  const manifest = releaseManifestSchema.parse(
    JSON.parse(readFileSync(join(distOf(root, name), 'release.json'), 'utf8')),
  );
  const used = usedContracts(join(root, name, 'src'));
  return judge({ manifest, used, home, renders: renders[name] ?? [] }, facts);
}

/** Compares two trees with built remotes; `commit` is that of the older one. */
async function compareTrees(here: string, older: string, commit: string): Promise<Comparison> {
  const [inThis, inOlder] = await Promise.all([compareInHost(here, older), compareInHost(older, here)]);
  const names = [...new Set([...remotesOf(older), ...remotesOf(here)])].sort();
  const remotes = names.map((remote): RemoteComparison => {
    const olderHere = judgeGuest(older, remote, inOlder.facts, inThis);
    const hereInOlder = judgeGuest(here, remote, inThis.facts, inOlder);
    if (!olderHere || !hereInOlder)
      return { remote, ...(olderHere && { olderHere }), ...(hereInOlder && { hereInOlder }) };
    const [one, other] = judgeBoth(olderHere, hereInOlder);
    return { remote, olderHere: one, hereInOlder: other };
  });
  const contracts = await pendingVersions(here, commit, inOlder.facts.contracts);
  return { remotes, contracts: judgeContracts(inOlder.facts, { ...inThis.facts, contracts }) };
}

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url)).replace(/[/\\]$/, '');

const USAGE = `Usage: npm run compat [-- <tag or commit>] [-- --json]

Checks whether the remotes of an older commit work in this tree's shell, and those
of this tree in the older shell. Default: the newest tag, else the commit before HEAD.

  --json    print the comparison as JSON, with every reason
  --help

Exit status: 0 compatible, 1 not compatible, 2 the comparison failed.
`;

/** Reasons of one kind that are listed; the rest is only counted. */
const MAX_REASONS = 8;

const isCompatible = ({ remotes, contracts }: Comparison): boolean =>
  !contracts.some(isTooLow) &&
  remotes.every(({ olderHere, hereInOlder }) =>
    [olderHere, hereInOlder].every((one) => one?.verdict !== 'broken'),
  );

function listed(lines: readonly string[]): string[] {
  const reasons = lines.slice(0, MAX_REASONS).map((line) => `    - ${line}`);
  return lines.length > MAX_REASONS
    ? [...reasons, `    - and ${lines.length - MAX_REASONS} more (--json has all)`]
    : reasons;
}

const cellOf = (judgement: Judgement | undefined): string =>
  judgement ? `${judgement.verdict} (${judgement.renders} renders)` : 'none';

const COLUMNS = ['remote', 'older release here', 'this release in the older shell'] as const;

/** What the changes of one contract package require. */
function describeContract(contract: ContractJudgement, older: string): string[] {
  const { name, breaking, added, newer } = contract;
  if (breaking.length === 0 && added.length === 0) return [];
  const smallest = smallestVersion(contract);
  const level = breaking.length > 0 ? 'major' : 'minor';
  const mark = level === 'major' ? 'a line `BREAKING CHANGE: …`' : '`feat`';
  return [
    isTooLow(contract)
      ? `${name} would become ${newer}, and what changed since ${older} (${contract.older}) needs ${smallest}: undo it, or commit it with ${mark}.`
      : `${name} becomes ${newer}; what changed since ${older} (${contract.older}) needs at least ${smallest}.`,
    ...listed([...breaking.map((line) => `breaks: ${line}`), ...added.map((line) => `adds: ${line}`)]),
    '',
  ];
}

/** The comparison as text: a table, then the reasons. */
function describeComparison(comparison: Comparison, older: string): string {
  const { remotes, contracts } = comparison;
  const rows = remotes.map(({ remote, olderHere, hereInOlder }) => [
    remote,
    cellOf(olderHere),
    cellOf(hereInOlder),
  ]);
  const widths = COLUMNS.map((title, at) =>
    Math.max(title.length, ...rows.map((row) => row[at]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd();
  const out = [line(COLUMNS), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line), ''];

  const addReasons = (title: string, judgement: Judgement | undefined) => {
    if (!judgement || judgement.verdict === 'works') return;
    out.push(`${title}: ${judgement.verdict}`, ...listed(judgement.reasons), '');
  };
  for (const { remote, olderHere, hereInOlder } of remotes) {
    addReasons(`${remote} of ${older} in this shell`, olderHere);
    addReasons(`this ${remote} in the shell of ${older}`, hereInOlder);
  }
  for (const contract of contracts) out.push(...describeContract(contract, older));
  out.push(isCompatible(comparison) ? `Compatible with ${older}.` : `Not compatible with ${older}.`);
  return `${out.join('\n')}\n`;
}

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
    const comparison = await compareTrees(ROOT, older, commit);
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
