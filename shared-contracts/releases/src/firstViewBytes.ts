import type { ReleaseManifest } from './manifest.ts';

/**
 * Uncompressed bytes of the browser's entry and of the files that slots load initially; lazy parts don't
 * count. The slots in `pageSlots` never load with the other ones, so only the largest page counts.
 */
export function firstViewBytes(
  { entry, slots, files }: Pick<ReleaseManifest, 'entry' | 'slots' | 'files'>,
  pageSlots: readonly string[],
): number {
  const named = Object.entries(slots);
  const pages = [
    named.filter(([slot]) => !pageSlots.includes(slot)),
    ...named.filter(([slot]) => pageSlots.includes(slot)).map((slot) => [slot]),
  ];
  const bytesOf = (path: string) => (Object.hasOwn(files, path) ? (files[path]?.bytes ?? 0) : 0);
  const totals = pages.map((page) => {
    const paths = new Set([
      entry.web,
      ...(entry.modules ?? []),
      ...page.flatMap(([, { scripts, styles }]) => [...scripts, ...styles]),
    ]);
    return [...paths].reduce((sum, path) => sum + bytesOf(path), 0);
  });
  return Math.max(...totals);
}
