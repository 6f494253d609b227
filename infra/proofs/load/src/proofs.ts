import { parseArgs } from 'node:util';
import { createCleanup } from '@forecourt/bench/processes';
import { loadAverage } from '@forecourt/bench/resultsFile';
import { buildFixtures } from '@forecourt/e2e/buildFixtures';
import { buildAll } from '@forecourt/local';
import { concurrentPromotes } from './concurrentPromotes.ts';
import { deploysUnderLoad } from './deploysUnderLoad.ts';
import { endlessLoop } from './endlessLoop.ts';
import { fullDisk } from './fullDisk.ts';
import { lostRegistry } from './lostRegistry.ts';
import { lostReplicas } from './lostReplicas.ts';
import { openTab } from './openTab.ts';
import type { Finding, Proof } from './proof.ts';
import { findingsTable, writeProof } from './report.ts';
import { rollbacks } from './rollbacks.ts';

/** Remotes that misbehave on purpose, and a good twin: they stand beside the end-to-end tests. */
const FIXTURES = ['good', 'hangs-in-render', 'hangs-in-load'];
const PROOFS: readonly Proof[] = [
  deploysUnderLoad,
  concurrentPromotes,
  rollbacks,
  endlessLoop,
  openTab,
  lostRegistry,
  fullDisk,
  lostReplicas,
];

const started = Date.now();
const cleanup = createCleanup();
const say = (step: string) =>
  process.stderr.write(`${String(Math.round((Date.now() - started) / 1000)).padStart(4)} s  ${step}\n`);

/** Runs one proof within its time and writes its section; what it could not finish has failed. */
async function prove(proof: Proof): Promise<boolean> {
  const loadBefore = loadAverage();
  const begun = Date.now();
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`stopped: it took more than ${proof.limitMs / 60_000} minutes`)),
      proof.limitMs,
    );
  });
  let findings: readonly Finding[];
  try {
    findings = await Promise.race([proof.run({ onEnd: cleanup.add, say }), limit]);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    findings = [{ measure: 'It could not be finished', value: reason, isMet: false }];
  } finally {
    clearTimeout(timer);
    await cleanup.run();
  }
  const isMet = findings.every((finding) => finding.isMet !== false);
  const seconds = Math.round((Date.now() - begun) / 1000);
  writeProof(proof, findings, { isMet, seconds, loadBefore, loadAfter: loadAverage() });
  process.stdout.write(
    `\n${proof.title}: ${isMet ? 'proven' : 'NOT PROVEN'}\n\n${findingsTable(findings)}\n\n`,
  );
  return isMet;
}

const { values } = parseArgs({ options: { only: { type: 'string' }, help: { type: 'boolean' } } });
const wanted = values.only?.split(',') ?? PROOFS.map(({ name }) => name);
const unknown = wanted.find((name) => PROOFS.every((proof) => proof.name !== name));
if (values.help || unknown !== undefined) {
  if (unknown !== undefined) process.stderr.write(`There is no proof '${unknown}'.\n`);
  process.stdout.write('npm run proofs [-- --only name,name]\n\n');
  for (const { name, title } of PROOFS) process.stdout.write(`  ${name.padEnd(20)} ${title}\n`);
  process.exit(unknown === undefined ? 0 : 1);
}
say('building what is stale');
await buildAll();
await buildFixtures(FIXTURES);
const failed: string[] = [];
for (const proof of PROOFS.filter(({ name }) => wanted.includes(name))) {
  say(proof.title);
  if (!(await prove(proof))) failed.push(proof.name);
}
process.stdout.write(failed.length === 0 ? 'Every proof holds.\n' : `Not proven: ${failed.join(', ')}.\n`);
process.exit(failed.length === 0 ? 0 : 1);
