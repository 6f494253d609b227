import { CALLS, type CallDefinition } from '@forecourt/shared-contracts/calls';
import { anonymousSession, emptySearch, sliceState, type RootState } from '@forecourt/shared-contracts/store';
import type { SlotRenderer } from '../rendering/slotRenderer.ts';
import { ReleaseError } from './registryClient.ts';
import type { LoadedRelease } from './release.ts';

const SMOKE_DEADLINE_MS = 3_000;

/** A valid page without a single result: what every slot must be able to show. */
const EMPTY_PAGE: RootState = { search: emptySearch, session: anonymousSession };

/**
 * Renders each slot of a release once, with an upstream that has nothing.
 * Throws ReleaseError NOT_ACCEPTED: such a release would fail every visitor.
 */
export async function smokeRender(release: LoadedRelease, renderer: SlotRenderer): Promise<void> {
  for (const [slot, { needs }] of Object.entries(release.manifest.slots)) {
    try {
      await renderer.render({
        release,
        slot,
        state: sliceState(EMPTY_PAGE, needs),
        deadlineMs: SMOKE_DEADLINE_MS,
        call: async (name) => {
          const { fallback }: CallDefinition = CALLS[name];
          if (fallback.kind !== 'empty') throw new Error(`${name} has no answer in a smoke render`);
          return fallback.value;
        },
        signal: new AbortController().signal,
      });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new ReleaseError('NOT_ACCEPTED', `${release.id} cannot render ${slot}: ${reason}`);
    }
  }
}
