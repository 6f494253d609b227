import { sliceState } from '@forecourt/slots/slices';
import { allPlacements } from '../layout/permissions.ts';
import type { LoadedRelease } from '../rendering/release.ts';
import type { RenderJob } from '../rendering/slotRenderer.ts';
import type { Site } from '../site.ts';
import { answerOf } from './gatePages.ts';
import type { RecordedPage } from './recordedPage.ts';

/** What recorded pages are rendered with. */
export type RecordedSite = Pick<Site, 'layouts' | 'calls' | 'state'>;

/**
 * Multiplies deadlines at load time: the code is cold, and the machine may be
 * loading many releases. A good release must not be refused for that; a slow
 * one is cut by its deadline on pages and judged by its canary.
 */
const PATIENCE = 15;
/** For slots without a deadline of their own: rendered by browsers only, or not placed yet. */
const DEADLINE_MS = 300;
/** A main slot's own deadline covers slow calls, which recorded pages do not make. */
const MAX_DEADLINE_MS = 800;

/** Time that a slot may take on a recorded page; ms. */
export function recordedDeadlineMs(slot: string, { layouts }: Pick<Site, 'layouts'>): number {
  const placed = allPlacements(layouts).find((placement) => placement.slot === slot)?.deadlineMs ?? 0;
  return Math.min(placed || DEADLINE_MS, MAX_DEADLINE_MS) * PATIENCE;
}

/** @throws what the recorded call fails with */
async function resultOf(page: RecordedPage, name: string, calls: Site['calls']): Promise<unknown> {
  const answer = answerOf(page, name, calls);
  if ('code' in answer) throw Object.assign(new Error(`${name} failed`), { code: answer.code });
  return answer.data;
}

/** Page kinds whose layout has the slot. */
const pageKindsOf = (slot: string, { layouts }: Pick<Site, 'layouts'>): readonly string[] =>
  Object.keys(layouts).filter((kind) => layouts[kind]?.some((placement) => placement.slot === slot));

/** The pages on which a slot appears; slots that no layout places are tried on pages of the first kind. */
export function pagesFor(
  slot: string,
  pages: readonly RecordedPage[],
  site: Pick<Site, 'layouts'>,
): readonly RecordedPage[] {
  const kinds = pageKindsOf(slot, site);
  const wanted = kinds.length > 0 ? kinds : Object.keys(site.layouts).slice(0, 1);
  return pages.filter(({ state }) => wanted.includes(state.page.kind));
}

/** The job that renders a slot on a recorded page. */
export function recordedJob(
  {
    release,
    slot,
    page,
  }: { readonly release: LoadedRelease; readonly slot: string; readonly page: RecordedPage },
  site: RecordedSite,
): RenderJob {
  const deadlineMs = recordedDeadlineMs(slot, site);
  return {
    release,
    slot,
    state: sliceState(site.state, page.state, release.manifest.slots[slot]?.reads ?? []),
    deadlineMs,
    cpuMs: deadlineMs,
    call: (name) => resultOf(page, name, site.calls),
    signal: new AbortController().signal,
  };
}
