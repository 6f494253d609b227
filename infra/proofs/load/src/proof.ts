import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeMachine, markdownTable, replaceSection } from '@forecourt/bench/report';

/** One row of a proof's table. Without `isMet`, the value is only reported. */
export interface Finding {
  readonly measure: string;
  readonly value: string;
  readonly required?: string;
  readonly isMet?: boolean;
}

export interface ProofContext {
  /** Adds a cleanup step; the steps run in reverse order at the end, also after a failure. */
  readonly onEnd: (step: () => Promise<void> | void) => void;
  readonly say: (progress: string) => void;
  /** The form that takes longer, of proofs that have one. */
  readonly isLong: boolean;
}

export interface Proof {
  /** The name for `--only`. */
  readonly name: string;
  readonly title: string;
  /** ms after which the proof is stopped and fails. */
  readonly limitMs: number;
  /** False for a proof of services that serve no pages: nothing is built for it. */
  readonly needsPages?: boolean;
  /** How it measures, for readers of the results. */
  readonly method: string;
  run(context: ProofContext): Promise<readonly Finding[]>;
}

export const reported = (measure: string, value: string | number): Finding => ({
  measure,
  value: String(value),
});

export const required = (
  measure: string,
  value: string | number,
  requirement: string,
  isMet: boolean,
): Finding => ({ measure, value: String(value), required: requirement, isMet });

/** A row that requires that there were `requests` ('page requests') and none of them failed. */
export const noFailures = (requests: string, count: number, failures: readonly string[]): Finding =>
  required(`Failures in ${count} ${requests}`, summaryOf(failures), '0', failures.length === 0 && count > 0);

/** The number of failures and the first few of them. */
function summaryOf(failures: readonly string[]): string {
  if (failures.length === 0) return '0';
  return `${failures.length}: ${[...new Set(failures)].slice(0, 3).join('; ').replaceAll('|', '/')}`;
}

const RESULTS_FILE = join(import.meta.dirname, '../RESULTS.md');
const TITLE = '# Results of the last proofs';

const verdictOf = ({ isMet }: Finding): string => (isMet === undefined ? '' : isMet ? 'met' : 'MISSED');

export const findingsTable = (findings: readonly Finding[]): string =>
  markdownTable(
    ['Measure', 'Value', 'Required', 'Verdict'],
    findings.map((finding) => [finding.measure, finding.value, finding.required ?? '', verdictOf(finding)]),
  );

/** Replaces one proof's section of RESULTS.md. */
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
