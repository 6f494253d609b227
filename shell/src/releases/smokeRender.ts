import { CALLS, type CallDefinition, type CallName } from '@forecourt/shared-contracts/calls';
import type { GateResult, Refusal } from '@forecourt/shared-contracts/slots/gate';
import { sliceState } from '@forecourt/shared-contracts/store';
import { fallbackOf } from '../gateway/fallback.ts';
import type { SlotPlacement } from '../page/layout.ts';
import { RenderFailure, type SlotRenderer } from '../rendering/slotRenderer.ts';
import type { RecordedPage } from './recorded/schema.ts';
import type { LoadedRelease } from './release.ts';

/**
 * At load a slot has this many times its deadline, and a view that holds the
 * thread as much longer: the code is cold and a machine that starts many
 * releases is busy. A good release must not be refused for that, and one that
 * is merely slow is cut on its pages and judged by its canary. What hangs is
 * found out all the same.
 */
const PATIENCE = 15;
/** For slots that the layout gives none: they are rendered by browsers only, or not yet placed. */
const DEADLINE_MS = 300;

export interface SmokeRenderResult {
  readonly renders: GateResult['renders'];
  readonly refusals: readonly Refusal[];
}

/** What a call answers over a recorded page; a call that was not recorded fails as the gateway lets it. */
async function answerOf({ answers }: RecordedPage, name: CallName): Promise<unknown> {
  if (Object.hasOwn(answers, name)) return answers[name];
  const { fallback }: CallDefinition = CALLS[name];
  if (fallback.kind === 'required') throw new Error(`${name} failed`);
  return fallbackOf(fallback, { code: 'UNREACHABLE', upstreamCode: undefined });
}

/** Renders each slot of a prepared release over each recorded page; every slot that cannot show one is a refusal. */
export async function smokeRender(
  release: LoadedRelease,
  parts: {
    readonly renderer: Pick<SlotRenderer, 'render'>;
    readonly pages: readonly RecordedPage[];
    readonly layout: readonly SlotPlacement[];
  },
): Promise<SmokeRenderResult> {
  const renders: GateResult['renders'] = [];
  const refusals: Refusal[] = [];
  for (const [slot, { needs }] of Object.entries(release.manifest.slots)) {
    const placed = parts.layout.find((placement) => placement.slot === slot)?.deadlineMs ?? 0;
    const deadlineMs = (placed || DEADLINE_MS) * PATIENCE;
    for (const page of parts.pages) {
      const startedAt = performance.now();
      const done = (isGood: boolean) =>
        renders.push({ slot, context: page.name, isGood, ms: Math.round(performance.now() - startedAt) });
      try {
        await parts.renderer.render({
          release,
          slot,
          state: sliceState(page.state, needs),
          deadlineMs,
          paintMs: deadlineMs,
          call: (name) => answerOf(page, name),
          signal: new AbortController().signal,
        });
        done(true);
      } catch (error) {
        done(false);
        refusals.push({
          rule: 'SLOT_RENDER',
          expected: `slot ${slot} renders the recorded page '${page.name}' (${page.url}) within ${deadlineMs} ms`,
          found: error instanceof Error ? error.message : String(error),
          remedy: 'add that page as a scenario of the remote, and repair the slot',
        });
        // What hangs or dies takes seconds each time, and the next page would tell nothing new.
        if (!(error instanceof RenderFailure) || error.code !== 'THREW') break;
      }
    }
  }
  return { renders, refusals };
}
