/** Views by their eighth of the turn; the driver sits on the left. */
const VIEWS = [
  'front',
  "front and driver's side",
  "driver's side",
  "rear and driver's side",
  'rear',
  "rear and passenger's side",
  "passenger's side",
  "front and passenger's side",
] as const;

/** What is seen from a place of the turn. */
export const viewName = (degrees: number): string =>
  VIEWS[Math.round(degrees / 45) % VIEWS.length] ?? 'front';

/** Into 0 (included) to `count`. */
export const wrapped = (index: number, count: number): number => ((index % count) + count) % count;

/**
 * The order in which pictures of a turn are fetched: the first one, the one
 * opposite, the quarters, and so on. So the vehicle turns in coarse steps
 * early, and in ever finer ones.
 */
export function loadingOrder(count: number, first: number): number[] {
  const order = new Set<number>();
  for (let step = count; ; step = Math.ceil(step / 2)) {
    for (let at = 0; at < count; at += step) order.add(wrapped(first + at, count));
    if (step === 1) return [...order];
  }
}

/** The picture nearest to the wanted one, around the turn, of those that have come; undefined before the first. */
export function nearestLoaded(
  loaded: ReadonlySet<number>,
  wanted: number,
  count: number,
): number | undefined {
  for (let away = 0; away <= count / 2; away += 1)
    for (const index of [wrapped(wanted - away, count), wrapped(wanted + away, count)])
      if (loaded.has(index)) return index;
  return undefined;
}
