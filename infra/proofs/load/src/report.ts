import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeMachine } from '@forecourt/bench/resultsFile';
import { markdownTable } from '@forecourt/bench/resultsFile';
import { replaceSection } from '@forecourt/bench/resultsFile';
import type { Finding, Proof } from './proof.ts';

const RESULTS_FILE = join(import.meta.dirname, '../RESULTS.md');
const TITLE = '# What was proven under load';

const verdictOf = ({ isMet }: Finding): string => (isMet === undefined ? '' : isMet ? 'met' : 'MISSED');

export const findingsTable = (findings: readonly Finding[]): string =>
  markdownTable(
    ['Measure', 'Value', 'Required', 'Verdict'],
    findings.map((finding) => [finding.measure, finding.value, finding.required ?? '', verdictOf(finding)]),
  );

/** Writes one proof's section and leaves the others as they are. */
export function writeProof(
  { name, title, method }: Proof,
  findings: readonly Finding[],
  run: {
    readonly isMet: boolean;
    readonly seconds: number;
    readonly loadBefore: string;
    readonly loadAfter: string;
  },
): void {
  const facts = `**${run.isMet ? 'Proven' : 'Not proven'}** on ${new Date().toISOString().slice(0, 10)} by \`npm run proofs -- --only ${name}\` in ${run.seconds} s: ${describeMachine()}; load average ${run.loadBefore} before, ${run.loadAfter} after. Visitors, upstream, registry and shells share the cores.`;
  const before = existsSync(RESULTS_FILE) ? readFileSync(RESULTS_FILE, 'utf8') : TITLE;
  writeFileSync(
    RESULTS_FILE,
    replaceSection(before, title, [facts, findingsTable(findings), method].join('\n\n')),
  );
}
