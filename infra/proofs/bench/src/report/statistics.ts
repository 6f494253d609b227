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
