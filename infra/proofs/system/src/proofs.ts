import { parseArgs } from 'node:util';
import { createCleanup } from '@forecourt/harness/cleanup';
import { loadAverage } from '@forecourt/harness/machine';
import { buildFixtures } from '@forecourt/harness/releases';
import { buildAll } from '@forecourt/local';
import { abuse } from './abuse/abuse.ts';
import { alerts } from './alerts/alerts.ts';
import { backups } from './backups.ts';
import { contention, endlessLoop } from './busyCores.ts';
import { canaryRule } from './canaryRule.ts';
import { crawl } from './crawl.ts';
import { development } from './development.ts';
import { disruptionProofs } from './disruptions/disruptionProofs.ts';
import { documentation } from './documentation.ts';
import { faults } from './faults.ts';
import { fullDisk } from './fullDisk.ts';
import { hostileReleases } from './hostileReleases.ts';
import { lostRegistry } from './lostRegistry.ts';
import { openTab } from './openTab.ts';
import { photos } from './photos/photos.ts';
import { type Finding, type Proof, findingsTable, writeProof } from './proof.ts';
import { production } from './production/production.ts';
import { sharedLimits } from './sharedLimits.ts';
import { tracingCost } from './tracingCost.ts';

/** Fixtures of the end-to-end tests: broken remotes and a working one. */
const FIXTURES = ['good', 'hangs-in-render', 'hangs-in-load', 'throws-in-render'];
const PROOFS: readonly Proof[] = [
  ...disruptionProofs,
  canaryRule,
  endlessLoop,
  contention,
  hostileReleases,
  openTab,
  lostRegistry,
  fullDisk,
  faults,
  crawl,
  development,
  documentation,
  backups,
  photos,
  production,
  sharedLimits,
  tracingCost,
  alerts,
  abuse,
];

const started = Date.now();
const cleanup = createCleanup();
const say = (step: string) =>
  process.stderr.write(`${String(Math.round((Date.now() - started) / 1000)).padStart(4)} s  ${step}\n`);

/** Runs one proof within its time limit and writes its section; a proof that throws has failed. */
async function prove(proof: Proof): Promise<boolean> {
  const loadBefore = loadAverage();
  const proofStarted = Date.now();
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`stopped after ${proof.limitMs / 60_000} minutes`)),
      proof.limitMs,
    );
  });
  let findings: readonly Finding[];
  try {
    findings = await Promise.race([proof.run({ onEnd: cleanup.add, say, isLong: values.long }), limit]);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    findings = [{ measure: 'Error', value: reason, isMet: false }];
  } finally {
    clearTimeout(timer);
    await cleanup.run();
  }
  const isMet = findings.every((finding) => finding.isMet !== false);
  const seconds = Math.round((Date.now() - proofStarted) / 1000);
  if (values.write) writeProof(proof, findings, { isMet, seconds, loadBefore, loadAfter: loadAverage() });
  process.stdout.write(
    `\n${proof.title}: ${isMet ? 'proven' : 'NOT PROVEN'}\n\n${findingsTable(findings)}\n\n${proof.method}\n\n`,
  );
  return isMet;
}

const { values, positionals } = parseArgs({
  options: {
    only: { type: 'string' },
    long: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean' },
  },
  allowPositionals: true,
});
const named = [...positionals, ...(values.only?.split(',') ?? [])];
const selected = named.length > 0 ? named : PROOFS.map(({ name }) => name);
const unknown = selected.find((name) => PROOFS.every((proof) => proof.name !== name));
if (values.help || unknown !== undefined) {
  if (unknown !== undefined) process.stderr.write(`There is no proof '${unknown}'.\n`);
  process.stdout.write('npm run proofs [-- name name --long --write]\n\n');
  for (const { name, title } of PROOFS) process.stdout.write(`  ${name.padEnd(20)} ${title}\n`);
  process.exit(unknown === undefined ? 0 : 1);
}
const chosen = PROOFS.filter(({ name }) => selected.includes(name));
if (chosen.some(({ needsPages = true }) => needsPages)) {
  say('building');
  await buildAll();
  await buildFixtures(FIXTURES);
}
const failed: string[] = [];
for (const proof of chosen) {
  say(proof.title);
  if (!(await prove(proof))) failed.push(proof.name);
}
process.stdout.write(failed.length === 0 ? 'All proven.\n' : `Not proven: ${failed.join(', ')}.\n`);
process.exit(failed.length === 0 ? 0 : 1);
