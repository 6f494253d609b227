import type { SlotModule, Call } from '@forecourt/slots';
import { renderSlot } from '@forecourt/slots/server';
import { loadSlotModules } from './container.ts';
import { sourcesOf } from './release.ts';
import type { ReleaseSite } from './releaseSite.ts';
import { RenderFailure, type SlotRenderer, withDeadline } from './slotRenderer.ts';
import { messageOf, stackOf } from '../universal/messageOf.ts';

/**
 * Renders in the shell's own process, for development. A release with an endless
 * loop blocks the shell; production uses `process`.
 */
export function createInlineRenderer(site: ReleaseSite): SlotRenderer {
  const releases = new Map<string, ReadonlyMap<string, SlotModule>>();
  return {
    async prepare(release) {
      const { id, manifest, half = 'server' } = release;
      const side = { half, manifest, sources: sourcesOf(release) };
      releases.set(id, await loadSlotModules(side, { label: id, site }));
    },
    async render({ release, slot, state, deadlineMs, call, signal, checksReads, loaded }) {
      const module = releases.get(release.id)?.get(slot);
      if (!module) throw new RenderFailure('NOT_PREPARED', `${release.id} has no slot ${slot} here`);
      return withDeadline(deadlineMs, signal, async (cut) => {
        try {
          const run: Call = (name, params, options) =>
            call(name, params, options?.signal ? AbortSignal.any([options.signal, cut]) : cut) as never;
          return await renderSlot(site.state, module, {
            slot,
            state,
            call: run,
            signal: cut,
            checksReads,
            loaded,
          });
        } catch (error) {
          throw new RenderFailure('THREW', `${slot}: ${messageOf(error)}`, {
            releaseStack: stackOf(error),
          });
        }
      });
    },
    retire: (id) => void releases.delete(id),
    close: async () => releases.clear(),
  };
}
