import { allPlacements } from '../layout/permissions.ts';
import { pagesFor, recordedJob, type RecordedSite } from './recordedJob.ts';
import type { RecordedPage } from './recordedPage.ts';
import type { LoadedRelease } from '../rendering/release.ts';
import type { SlotRenderer } from '../rendering/slotRenderer.ts';

/** Of the time until a release is live. */
const MAX_MS = 500;
const MAX_ROUNDS = 100;

/**
 * Renders the slots of an accepted release over recorded pages until its process has compiled them, so that its first
 * visitors don't pay for it. Never rejects: a slot that fails ends it, and is judged on pages.
 */
export async function warmUpRelease(
  release: LoadedRelease,
  {
    site,
    renderer,
    pages,
  }: {
    readonly site: RecordedSite;
    readonly renderer: Pick<SlotRenderer, 'render'>;
    readonly pages: readonly RecordedPage[];
  },
): Promise<void> {
  const startedAt = performance.now();
  // Extremes would teach the compiler what visitors don't see.
  const shown = pages.filter(({ isShown }) => isShown);
  const isOnServer = (slot: string) =>
    allPlacements(site.layouts).some((one) => one.slot === slot && one.deadlineMs > 0 && !one.renderedBy);
  const jobs = Object.keys(release.manifest.slots)
    .filter(isOnServer)
    .flatMap((slot) =>
      pagesFor(slot, shown, site).map((page) => {
        // Within the limits of pages.
        const { cpuMs: _, ...job } = recordedJob({ release, slot, page }, site);
        return { ...job, deadlineMs: MAX_MS };
      }),
    );
  try {
    for (let round = 0; round < MAX_ROUNDS; round += 1)
      for (const job of jobs) {
        if (performance.now() - startedAt > MAX_MS) return;
        await renderer.render(job);
      }
  } catch {
    // The gate has accepted it; what fails now and then shows on pages.
  }
}
