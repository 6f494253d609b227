import { CALLS, type CallDefinition, type CallName } from '@forecourt/shared-contracts/calls';
import type { GateResult, Refusal } from '@forecourt/shared-contracts/slots/gate';
import { sliceState, type PageKind } from '@forecourt/shared-contracts/store';
import { assertFragment } from '../rendering/fragmentCheck.ts';
import { ALL_PLACEMENTS, PAGE_LAYOUTS } from '../layout/layouts.ts';
import type { LoadedRelease } from '../rendering/release.ts';
import { RenderFailure, type SlotRenderer } from '../rendering/slotRenderer.ts';
import { fallbackOf } from '../upstream/callFailure.ts';
import type { RecordedPage } from './recorded/schema.ts';
import { messageOf } from '../../both/messageOf.ts';

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

/** Characters of HTML that the gate's report has of a slot. */
const MAX_SHOWN = 200_000;
/** The page whose renders the report shows: the other ones are extremes. */
const isShown = ({ name, state }: RecordedPage): boolean =>
  name === 'ordinary' || state.page.kind !== 'results';

export interface SmokeRenderResult {
  readonly renders: GateResult['renders'];
  readonly refusals: readonly Refusal[];
}

/** The recorded result of a call; a call without one fails as in the gateway. */
async function resultOf({ answers }: RecordedPage, name: CallName): Promise<unknown> {
  if (Object.hasOwn(answers, name)) return answers[name];
  const { fallback }: CallDefinition = CALLS[name];
  if (fallback.kind === 'required') throw Object.assign(new Error(`${name} failed`), { code: 'UNREACHABLE' });
  return fallbackOf(fallback, { code: 'UNREACHABLE', upstreamCode: undefined });
}

/** Page kinds whose layout has the slot. */
const pageKindsOf = (slot: string): readonly PageKind[] =>
  (Object.keys(PAGE_LAYOUTS) as PageKind[]).filter((kind) =>
    PAGE_LAYOUTS[kind].some((placement) => placement.slot === slot),
  );

/** The pages on which a slot appears; slots that no layout places are tried on results pages. */
function pagesFor(slot: string, pages: readonly RecordedPage[]): readonly RecordedPage[] {
  const kinds = pageKindsOf(slot);
  const wanted: readonly PageKind[] = kinds.length > 0 ? kinds : ['results'];
  return pages.filter(({ state }) => wanted.includes(state.page.kind));
}

/** Renders each slot of a prepared release over its recorded pages; every slot that fails on one is a refusal. */
export async function smokeRender(
  release: LoadedRelease,
  parts: { readonly renderer: Pick<SlotRenderer, 'render'>; readonly pages: readonly RecordedPage[] },
): Promise<SmokeRenderResult> {
  const renders: GateResult['renders'] = [];
  const refusals: Refusal[] = [];

  async function renderOn(page: RecordedPage, slot: string, deadlineMs: number): Promise<string> {
    const rendered = await parts.renderer.render({
      release,
      slot,
      state: sliceState(page.state, release.manifest.slots[slot]?.needs ?? []),
      checksReads: true,
      deadlineMs,
      cpuMs: deadlineMs,
      call: (name) => resultOf(page, name),
      signal: new AbortController().signal,
    });
    const isMainSlot = page.state.page.kind === slot && slot !== 'results';
    const placement = ALL_PLACEMENTS.find((one) => one.slot === slot);
    assertFragment(rendered, { slot, ids: placement?.ids ?? [], isMain: isMainSlot });
    if (isMainSlot && !rendered.page) throw new RenderFailure('THREW', 'the main slot returned no page');
    return rendered.html;
  }

  for (const slot of Object.keys(release.manifest.slots)) {
    const placed = ALL_PLACEMENTS.find((placement) => placement.slot === slot)?.deadlineMs ?? 0;
    const deadlineMs = Math.min(placed || DEADLINE_MS, MAX_DEADLINE_MS) * PATIENCE;
    for (const page of pagesFor(slot, parts.pages)) {
      const startedAt = performance.now();
      const record = (isGood: boolean, html?: string) => {
        const ms = Math.round(performance.now() - startedAt);
        renders.push({ slot, context: page.name, isGood, ms, ...(html && { html }) });
      };
      try {
        const html = await renderOn(page, slot, deadlineMs);
        record(true, isShown(page) && html.length <= MAX_SHOWN ? html : undefined);
      } catch (error) {
        record(false);
        refusals.push({
          rule: 'SLOT_RENDER',
          expected: `slot ${slot} renders the recorded page '${page.name}' (${page.url}) within ${deadlineMs} ms`,
          found: messageOf(error),
          remedy: 'add that page as a scenario of the remote, and repair the slot',
        });
        // A hang or crash takes seconds each time, and another page would show the same.
        if (!(error instanceof RenderFailure) || !['THREW', 'BAD_HTML'].includes(error.code)) break;
      }
    }
  }
  return { renders, refusals };
}
