import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeMachine } from '@forecourt/harness/machine';
import { markdownTable, replaceSection } from '@forecourt/harness/markdown';
import { setTimeout as wait } from 'node:timers/promises';

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

/** A row that requires exactly this value. */
export const equal = (measure: string, value: string | number, expected: string | number): Finding =>
  required(measure, value, String(expected), value === expected);

/** A row that requires that there were `requests` ('page requests') and none of them failed. */
export const noFailures = (requests: string, count: number, failures: readonly string[]): Finding =>
  required(`Failures in ${count} ${requests}`, summaryOf(failures), '0', failures.length === 0 && count > 0);

/** The number of failures and the first few of them. */
function summaryOf(failures: readonly string[]): string {
  if (failures.length === 0) return '0';
  return `${failures.length}: ${[...new Set(failures)].slice(0, 3).join('; ').replaceAll('|', '/')}`;
}

const RESULTS_FILE = join(import.meta.dirname, '../RESULTS.md');
const TITLE = `# Results of the last proofs

The newest run of each proof; older runs are in Git. A run prints how it measures. A check mark: a required value is met; its limit is in
parentheses. Visitors, upstream, registry and shells share the cores.`;

/** The value, the limit where it says more, and whether a required value is met. */
function resultOf({ value, required: requirement, isMet }: Finding): string {
  const limit = requirement === undefined || requirement === value ? '' : ` (${requirement})`;
  return value + limit + (isMet === undefined ? '' : isMet ? ' ✓' : ' ✗ MISSED');
}

/** One row for findings of one topic (`CSRF: …`) with the same value. */
function byTopic(findings: readonly Finding[]): readonly Finding[] {
  const groups = Map.groupBy(findings, ({ measure, value, required: requirement, isMet }) =>
    JSON.stringify([measure.split(': ')[0], value, requirement, isMet]),
  );
  return [...groups.values()].map(([first, ...others]) =>
    others.length === 0
      ? first!
      : { ...first!, measure: `${first!.measure.split(': ')[0]} (${others.length + 1})` },
  );
}

export const findingsTable = (findings: readonly Finding[]): string =>
  markdownTable(
    ['Measure', 'Result'],
    findings.map((finding) => [finding.measure, resultOf(finding)]),
  );

/** Replaces one proof's section of RESULTS.md. */
export function writeProof(
  { name, title }: Proof,
  findings: readonly Finding[],
  run: {
    readonly isMet: boolean;
    readonly seconds: number;
    readonly loadBefore: string;
    readonly loadAfter: string;
  },
): void {
  const facts = `\`${name}\`: **${run.isMet ? 'proven' : 'not proven'}** on ${new Date().toISOString().slice(0, 10)} in ${run.seconds} s; ${describeMachine()}; load average ${run.loadBefore} before, ${run.loadAfter} after.`;
  const before = existsSync(RESULTS_FILE) ? readFileSync(RESULTS_FILE, 'utf8') : TITLE;
  writeFileSync(
    RESULTS_FILE,
    replaceSection(before, title, [facts, findingsTable(byTopic(findings))].join('\n\n')),
  );
}

/** Polls every `everyMs` until `isTrue`. @throws Error that names `what` after `limitMs` */
export async function until(
  what: string,
  isTrue: () => Promise<boolean> | boolean,
  { limitMs = 30_000, everyMs = 25 }: { limitMs?: number; everyMs?: number } = {},
): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!(await isTrue())) {
    if (performance.now() > deadline) throw new Error(`timeout after ${limitMs / 1000} s: ${what}`);
    await wait(everyMs);
  }
}

/** The inspector's URL of a service that was started with `--inspect`, from its log. */
export function inspectorUrl(dataDir: string, service: string): string {
  const log = readFileSync(join(dataDir, 'logs', `${service}.log`), 'utf8');
  const url = /Debugger listening on (ws:\S+)/.exec(log)?.[1];
  if (url === undefined) throw new Error(`the log of ${service} has no inspector URL`);
  return url;
}

/** Collects garbage in a process through the inspector, so that memory measured afterwards is in use. */
export async function collectGarbage(url: string): Promise<void> {
  const socket = new WebSocket(url);
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve());
    socket.addEventListener('error', () => reject(new Error(`no inspector at ${url}`)));
  });
  try {
    // Twice: objects with finalizers are freed by the second pass.
    for (let id = 1; id <= 2; id += 1) {
      const replied = new Promise((resolve) => socket.addEventListener('message', resolve, { once: true }));
      socket.send(JSON.stringify({ id, method: 'HeapProfiler.collectGarbage' }));
      await replied;
    }
  } finally {
    socket.close();
  }
}

/** Waits until a shell sheds nothing, so that one measurement does not affect the next. */
export const untilCalm = (shell: string): Promise<void> =>
  until('the shell sheds nothing', async () => {
    const ready = (await (await fetch(`${shell}/health/ready`)).json()) as { load: string };
    return ready.load === 'normal';
  });

/** A shell's metrics as text. */
export const metricsOf = async (shell: string): Promise<string> => (await fetch(`${shell}/metrics`)).text();

/** Sum of a counter's lines that have all of these labels. */
export function countOf(metrics: string, name: string, ...labels: string[]): number {
  return metrics
    .split('\n')
    .filter((line) => line.startsWith(name) && labels.every((label) => line.includes(label)))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
}
