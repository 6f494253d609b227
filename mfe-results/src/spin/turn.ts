/** Name of the view at an angle. */
export const viewName = (degrees: number): string =>
  VIEWS[Math.round(degrees / 45) % VIEWS.length] ?? 'front';

/**
 * Download order of the pictures: the first, the opposite one, the quarters, and so on, so that the vehicle
 * turns early in coarse steps that become finer.
 */
export function loadingOrder(count: number, first: number): number[] {
  const order = new Set<number>();
  for (let step = count; ; step = Math.ceil(step / 2)) {
    for (let at = 0; at < count; at += step) order.add(remainder(first + at, count));
    if (step === 1) return [...order];
  }
}

/** The loaded picture nearest to the index one, around the turn; undefined before the first. */
export function nearestLoaded(loaded: ReadonlySet<number>, index: number, count: number): number | undefined {
  for (let away = 0; away <= count / 2; away += 1)
    for (const candidate of [remainder(index - away, count), remainder(index + away, count)])
      if (loaded.has(candidate)) return candidate;
  return undefined;
}

/** Views by eighths of a turn, starting at the front. */
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

/** Wraps an index into 0 ≤ index < `count`. */
export const remainder = (index: number, count: number): number => ((index % count) + count) % count;
