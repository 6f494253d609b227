import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { markdownTable, replaceSection } from '@forecourt/harness/markdown';

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

/** Updates one tool's section of RESULTS.md. */
export function writeResults(heading: string, body: string): void {
  const before = existsSync(RESULTS_FILE) ? readFileSync(RESULTS_FILE, 'utf8') : TITLE;
  writeFileSync(RESULTS_FILE, replaceSection(before, heading, body));
}
