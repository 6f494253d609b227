import type { LoadedRelease } from '../release.ts';
import type { RenderFailure, RenderJob } from '../slotRenderer.ts';

/** A job without state whose calls fail; `changes` replace parts of it. */
export function renderJob(release: LoadedRelease, slot: string, changes: Partial<RenderJob> = {}): RenderJob {
  return {
    release,
    slot,
    state: {},
    deadlineMs: 2_000,
    call: () => Promise.reject(new Error('no call is expected')),
    signal: new AbortController().signal,
    ...changes,
  };
}

/** The failure of a render; undefined when it succeeds. */
export const failureOf = (rendering: Promise<unknown>): Promise<RenderFailure | undefined> =>
  rendering.then(
    () => undefined,
    (error: RenderFailure) => error,
  );

/** Source of a slot whose `load` has this body and whose view shows what it returns. */
export const loadingSlot = (body: string): string =>
  `defineSlot({ needs: [], load: async ({ call, state, signal }) => { ${body} },
    view: ({ data }) => React.createElement('p', null, String(data)) })`;
