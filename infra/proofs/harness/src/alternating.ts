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
