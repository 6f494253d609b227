import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cpus, loadavg } from 'node:os';

export interface Budget {
  readonly kind: 'at most' | 'at least' | 'below';
  readonly limit: number;
  /** What is compared with the limit: the composed page's value, or its ratio to one bundle. */
  readonly of: 'value' | 'ratio';
  /** What to do when the budget is missed. */
  readonly nextStep: string;
}

export interface Measure {
  readonly name: string;
  readonly unit: string;
  readonly digits: number;
  readonly value: number;
  /** The value of the page as one bundle. */
  readonly oneBundle?: number;
  readonly budget?: Budget;
}

const RATIO_DIGITS = 2;
const SIGNS = { 'at most': '≤', 'at least': '≥', below: '<' } as const;

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));

/** Composed page divided by one bundle, rounded for display; undefined without a reference. */
export const ratioOf = ({ value, oneBundle }: Measure): number | undefined =>
  oneBundle ? rounded(value / oneBundle, RATIO_DIGITS) : undefined;

/** 'met', 'missed by 12 %' or, where the limit is 0, 'missed by 0.04'; undefined without a budget. */
export function verdictOf(measure: Measure): string | undefined {
  const { budget, digits } = measure;
  if (!budget) return undefined;
  const { kind, limit, of } = budget;
  const displayedValue = of === 'ratio' ? (ratioOf(measure) ?? Number.NaN) : rounded(measure.value, digits);
  if (Number.isNaN(displayedValue)) return 'not measured';
  const isMet = {
    'at most': displayedValue <= limit,
    'at least': displayedValue >= limit,
    below: displayedValue < limit,
  }[kind];
  if (isMet) return 'met';
  const gap = Math.abs(displayedValue - limit);
  if (limit === 0) return `missed by ${rounded(gap, digits)}`;
  return `missed by ${Math.max(1, Math.round((gap / limit) * 100))} %`;
}

function budgetText({ budget, unit }: Measure): string {
  if (!budget) return '';
  const { kind, limit, of } = budget;
  return `${SIGNS[kind]} ${limit}${of === 'ratio' ? '×' : unit && ` ${unit}`}`;
}

export function measuresTable(measures: readonly Measure[]): string {
  return markdownTable(
    ['Measure', 'Unit', 'Budget', 'Composed', 'One bundle', 'Ratio', 'Verdict'],
    measures.map((measure) => {
      const { name, unit, digits, value, oneBundle } = measure;
      const ratio = ratioOf(measure);
      return [
        name,
        unit,
        budgetText(measure),
        value.toFixed(digits),
        oneBundle?.toFixed(digits) ?? '',
        ratio === undefined ? '' : `${ratio.toFixed(RATIO_DIGITS)}×`,
        verdictOf(measure) ?? '',
      ];
    }),
  );
}

/** Missed budgets with their next steps, as a list. */
export function nextSteps(measures: readonly Measure[]): string {
  return measures
    .flatMap((measure) => {
      const verdict = verdictOf(measure);
      if (!measure.budget || verdict === 'met') return [];
      return [`- ${measure.name}: ${verdict}. ${measure.budget.nextStep}`];
    })
    .join('\n');
}

export const RESULTS_FILE = join(import.meta.dirname, '../RESULTS.md');
const TITLE = '# Results of the last measurements';

/** Replaces the body of one `## heading` section, or appends the section. */
export function replaceSection(text: string, heading: string, body: string): string {
  const [top = '', ...sections] = text.split(/^(?=## )/m);
  const section = `## ${heading}\n\n${body.trim()}\n`;
  const at = sections.findIndex((one) => one.startsWith(`## ${heading}\n`));
  const others = sections.map((one) => `${one.trim()}\n`);
  const all = at < 0 ? [...others, section] : others.with(at, section);
  return [`${top.trim()}\n`, ...all].join('\n');
}

/** Updates one tool's section of RESULTS.md. */
export function writeResults(heading: string, body: string): void {
  const before = existsSync(RESULTS_FILE) ? readFileSync(RESULTS_FILE, 'utf8') : TITLE;
  writeFileSync(RESULTS_FILE, replaceSection(before, heading, body));
}

/** Cores, Node and browser version; no host name. */
export function describeMachine(browser?: string): string {
  const cores = cpus();
  const parts = [
    `${cores.length} cores (${cores[0]?.model ?? 'unknown'})`,
    `Node ${process.versions.node}`,
    browser,
  ];
  return parts.filter(Boolean).join(', ');
}

/** Load average of the last minute; above the number of cores, other processes were running. */
export const loadAverage = (): string => (loadavg()[0] ?? 0).toFixed(1);

/** A Markdown table with right-aligned columns, except the first. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, at) => Math.max(title.length, ...rows.map((row) => row[at]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join(' | ')} |`;
  const rule = `| ${widths.map((width, at) => (at === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}

/** The quantile for a share from 0 to 1; NaN without values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** The median of one field over all runs. */
export const medianOf = <T>(runs: readonly T[], field: (run: T) => number): number => median(runs.map(field));

/** Measures several subjects in alternating order, so that other load on the machine affects all of them equally. */
export async function alternating<Name extends string, Subject, Result>(
  subjects: Readonly<Record<Name, Subject>>,
  rounds: number,
  measure: (subject: Subject) => Promise<Result>,
): Promise<Record<Name, Result[]>> {
  const names = Object.keys(subjects) as Name[];
  const results = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, Result[]>;
  for (let round = 0; round < rounds; round += 1) {
    // Alternate the first subject, because later ones find warmer caches.
    for (const name of round % 2 === 0 ? names : names.toReversed())
      results[name].push(await measure(subjects[name]));
  }
  return results;
}
