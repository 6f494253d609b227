import { describe, expect, it } from '@jest/globals';
import { type Budget, type Measure, measuresTable, nextSteps, ratioOf, verdictOf } from './report.ts';

const budget = (kind: Budget['kind'], limit: number, of: Budget['of'] = 'value'): Budget => ({
  kind,
  limit,
  of,
  nextStep: 'Do less.',
});
const measure = (value: number, rest: Partial<Measure> = {}): Measure => ({
  name: 'Memory',
  unit: 'MiB',
  digits: 0,
  value,
  ...rest,
});

describe('verdictOf', () => {
  it.each([
    [100, budget('at most', 100), 'met'],
    [100.4, budget('at most', 100), 'met'],
    [112, budget('at most', 100), 'missed by 12 %'],
    [100, budget('below', 100), 'missed by 1 %'],
    [99, budget('below', 100), 'met'],
    [80, budget('at least', 100), 'missed by 20 %'],
    [100, budget('at least', 100), 'met'],
  ])('returns the verdict on %d for the budget %o', (value, sampleBudget, verdict) => {
    expect(verdictOf(measure(value, { budget: sampleBudget }))).toBe(verdict);
  });

  it('reports the absolute gap for a limit of 0', () => {
    expect(verdictOf(measure(0.041, { digits: 3, budget: budget('at most', 0) }))).toBe('missed by 0.041');
  });

  it('compares the ratio to one bundle with a ratio limit', () => {
    const ratioBudget = budget('at least', 0.9, 'ratio');
    expect(verdictOf(measure(95, { oneBundle: 100, budget: ratioBudget }))).toBe('met');
    expect(verdictOf(measure(81, { oneBundle: 100, budget: ratioBudget }))).toBe('missed by 10 %');
  });

  it('reports a budget as not measured without a value', () => {
    expect(verdictOf(measure(Number.NaN, { budget: budget('at most', 1) }))).toBe('not measured');
    expect(verdictOf(measure(5, { budget: budget('at most', 1, 'ratio') }))).toBe('not measured');
  });

  it('returns no verdict without a budget', () => {
    expect(verdictOf(measure(1))).toBeUndefined();
  });
});

describe('ratioOf', () => {
  it('returns no ratio without a reference or for a reference of 0', () => {
    expect(ratioOf(measure(1))).toBeUndefined();
    expect(ratioOf(measure(1, { oneBundle: 0 }))).toBeUndefined();
  });
});

describe('the report', () => {
  const measures = [
    measure(90, { budget: budget('at most', 100), oneBundle: 60 }),
    measure(3, { name: 'Depth', unit: '', budget: budget('at most', 2) }),
  ];

  it('shows value, reference, ratio and verdict in a row', () => {
    expect(measuresTable(measures).split('\n')).toEqual([
      '| Measure | Unit |    Budget | Composed | One bundle | Ratio |        Verdict |',
      '| ------- | ---: | --------: | -------: | ---------: | ----: | -------------: |',
      '| Memory  |  MiB | ≤ 100 MiB |       90 |         60 | 1.50× |            met |',
      '| Depth   |      |       ≤ 2 |        3 |            |       | missed by 50 % |',
    ]);
  });

  it('lists next steps for missed budgets only', () => {
    expect(nextSteps(measures)).toBe('- Depth: missed by 50 %. Do less.');
    expect(nextSteps(measures.slice(0, 1))).toBe('');
  });
});
