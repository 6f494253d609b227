import { createHash } from 'node:crypto';
import type { CallName, CallParams } from '@forecourt/slots/calls';
import { createLruCache } from '@forecourt/service-kit/lruCache';
import { ownBytes } from '@forecourt/service-kit/ownBytes';
import type { EngineConfig } from '../config.ts';
import type { LoadedRelease } from './release.ts';
import {
  type RenderedSlot,
  type RenderJob,
  type SlotRenderer,
  slotOfBytes,
  withDeadline,
} from './slotRenderer.ts';

// A slot's HTML follows from its release, its state and the responses to its calls: the browser renders it again from the same,
// and must get the same. So a slot with equal inputs is not rendered a second time: for the next signed-in visitor with the same
// search, or when a cached page is revalidated.

/** Until a call of a cached slot has its response; a slower one is awaited by the slot's own render; ms. */
const CALLS_WAIT_MS = 50;

interface MadeCall {
  readonly name: CallName;
  readonly params: CallParams;
  /** Digest of its response. */
  readonly response: string;
}

interface CachedSlot {
  readonly rendered: RenderedSlot;
  readonly calls: readonly MadeCall[];
  readonly storedAt: number;
}

/** Of HTML and data: the slots of about forty pages. */
const MAX_BYTES = 8 * 1024 * 1024;

interface CachedRender {
  readonly rendered: RenderedSlot;
  readonly isReused: boolean;
}

export interface SlotCache {
  /**
   * What `render` has returned for a job with the same inputs; otherwise renders the job. `render` rejects HTML that must not
   * be shown: what it returns is stored.
   */
  readonly render: (
    job: RenderJob,
    render: (job: RenderJob) => Promise<RenderedSlot>,
  ) => Promise<CachedRender>;
}

const digestOf = (pieces: Iterable<Buffer | string>): string => {
  const hash = createHash('sha256');
  for (const piece of pieces) hash.update(piece);
  return hash.digest('base64url');
};

/** Digests of objects that are never changed in place, like cached responses. */
function createDigests() {
  const known = new WeakMap<object, string>();
  return (value: unknown): string => {
    const digest = () => digestOf([JSON.stringify(value) ?? '']);
    if (typeof value !== 'object' || value === null) return digest();
    const found = known.get(value) ?? digest();
    known.set(value, found);
    return found;
  };
}

/** Makes each call of a job once, and remembers what it was answered. */
function recordCalls(job: RenderJob) {
  const made = new Map<string, Promise<unknown>>();
  const answers: { readonly name: CallName; readonly params: CallParams; readonly response: unknown }[] = [];
  const start = async (...[name, params, signal]: Parameters<RenderJob['call']>) => {
    const response = await job.call(name, params, signal);
    answers.push({ name, params, response });
    return response;
  };
  const call: RenderJob['call'] = (name, params, signal) => {
    const key = `${name} ${JSON.stringify(params)}`;
    const response = made.get(key) ?? start(name, params, signal);
    made.set(key, response);
    return response;
  };
  /** Undefined if a call failed or has no response yet: the slot was rendered without it. */
  return { call, answers: () => (answers.length === made.size ? answers : undefined) };
}

type Recorded = ReturnType<typeof recordCalls>;

/** Whether the calls of a cached slot are answered as they were then, and soon. */
async function hasSameResponses(
  { calls }: CachedSlot,
  { call }: Recorded,
  signal: AbortSignal,
  digest: (value: unknown) => string,
): Promise<boolean> {
  if (calls.length === 0) return true;
  const isSame = async ({ name, params, response }: MadeCall) =>
    digest(await call(name, params, signal)) === response;
  // A call that fails or is late is the render's own to handle.
  return withDeadline(CALLS_WAIT_MS, signal, () => Promise.all(calls.map(isSame))).then(
    (all) => all.every(Boolean),
    () => false,
  );
}

/** The slot without the rest of what was read with it from its process, of which its bytes are a view. */
function ownSlot(rendered: RenderedSlot): RenderedSlot {
  const { bytes, data, isPartial, structuredData, page } = rendered;
  return bytes ? slotOfBytes(ownBytes(bytes), { data, isPartial, structuredData, page }) : rendered;
}

/** Slots of shared state without failures: nothing in a visitor's name, no partial data, no page of its own. */
const isCacheable = ({ isPersonal, checksReads }: RenderJob): boolean => !isPersonal && !checksReads;
const isComplete = ({ isPartial, page }: RenderedSlot): boolean => !isPartial && page === undefined;

/**
 * Reuses slots for as long as `CACHE_SECONDS` says; undefined if that is 0. Only states as bytes can be compared: the renderer in the
 * shell's own thread, for development, has none.
 */
export function createSlotCache(
  { renderer, clock }: { readonly renderer: SlotRenderer; readonly clock: () => Date },
  { CACHE_SECONDS: { slots: freshSeconds } }: Pick<EngineConfig, 'CACHE_SECONDS'>,
): SlotCache | undefined {
  const { encodeState } = renderer;
  if (!encodeState || freshSeconds === 0) return undefined;
  const now = () => clock().getTime();
  const slots = createLruCache<CachedSlot>({ maxBytes: MAX_BYTES });
  const digest = createDigests();
  // A development build replaces a release under the same id.
  const releases = new WeakMap<LoadedRelease, number>();
  let lastRelease = 0;
  const numberOf = (release: LoadedRelease): number => {
    const number = releases.get(release) ?? (lastRelease += 1);
    releases.set(release, number);
    return number;
  };
  const store = (key: string, rendered: RenderedSlot, recorded: Recorded) => {
    const answers = recorded.answers();
    const bytes = (rendered.bytes ?? rendered.html).length + JSON.stringify(rendered.data ?? null).length;
    if (!answers || bytes > MAX_BYTES / 8) return;
    const calls = answers.map(({ response, ...made }) => ({ ...made, response: digest(response) }));
    slots.set(key, { rendered: ownSlot(rendered), calls, storedAt: now() }, bytes);
  };
  return {
    async render(job, render) {
      if (!isCacheable(job)) return { rendered: await render(job), isReused: false };
      const startedAt = performance.now();
      const key = `${numberOf(job.release)} ${job.slot} ${digestOf(encodeState(job.state))}`;
      const recorded = recordCalls(job);
      const found = slots.get(key);
      if (found && now() - found.storedAt <= freshSeconds * 1000) {
        if (await hasSameResponses(found, recorded, job.signal, digest))
          return { rendered: found.rendered, isReused: true };
      }
      // What it took beyond the wait for calls, the machine took: the release is not to blame for it.
      const waitedMs = Math.min(performance.now() - startedAt, CALLS_WAIT_MS);
      const deadlineMs = Math.max(1, job.deadlineMs - waitedMs);
      const rendered = await render({ ...job, call: recorded.call, deadlineMs });
      if (isComplete(rendered)) store(key, rendered, recorded);
      return { rendered, isReused: false };
    },
  };
}
