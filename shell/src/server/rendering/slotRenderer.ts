import type { CallName, CallParams } from '@forecourt/shared-contracts/calls';
import type { LoadedRelease } from './release.ts';
import type { SlotModule } from '@forecourt/shared-contracts/slots';
import type { createStore } from '@forecourt/shared-contracts/store';

export interface RenderJob {
  readonly release: LoadedRelease;
  readonly slot: string;
  readonly state: NonNullable<Parameters<typeof createStore>[0]>;
  /** From now to the last byte of HTML. */
  readonly deadlineMs: number;
  /** Longest time that the view may hold its thread; the renderer's own limit when absent. */
  readonly paintMs?: number;
  /** Runs a call of the table for the slot's `load`. */
  readonly call: (name: CallName, params: CallParams, signal: AbortSignal) => Promise<unknown>;
  /** Aborted when the visitor leaves. */
  readonly signal: AbortSignal;
}

export interface RenderedSlot {
  readonly html: string;
  readonly data: unknown;
  /** JSON-LD for search engines. */
  readonly structuredData?: object | undefined;
  /** What a main slot decided about its page; not yet checked. */
  readonly page?: NonNullable<ReturnType<NonNullable<SlotModule['page']>>> | undefined;
}

export type RenderFailureCode =
  | 'DEADLINE'
  | 'THREW'
  | 'DIED'
  | 'TRIPPED'
  | 'CANCELLED'
  | 'NOT_PREPARED'
  /** Of `prepare` alone: timers or handles of the release's modules go on. */
  | 'LEFT_RUNNING';

/** Why a slot has no HTML; its fallback is shown. */
export class RenderFailure extends Error {
  override readonly name = 'RenderFailure';
  readonly code: RenderFailureCode;
  constructor(code: RenderFailureCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Who renders a release's slots on the server. */
export interface SlotRenderer {
  /**
   * Loads the release and proves that its slot modules can be had. Rejects when they cannot, and with LEFT_RUNNING
   * where each release has a thread of its own.
   */
  readonly prepare: (release: LoadedRelease) => Promise<void>;
  /** Rejects with RenderFailure, at the deadline at the latest. */
  readonly render: (job: RenderJob) => Promise<RenderedSlot>;
  /** Forgets a release; jobs under way end on it. */
  readonly retire: (releaseId: string) => void;
  readonly close: () => Promise<void>;
}

const ENDED = 'the slot has ended';

/**
 * Runs `work` until it ends, `deadlineMs` are over or the visitor leaves; then
 * the signal given to it is aborted and the answer rejects, whatever it does.
 * Nothing is begun for a visitor who has left. At the deadline the signal's
 * reason is a TimeoutError, as that of `AbortSignal.timeout`: who is waited for
 * may be to blame, which a visitor's leaving never tells.
 */
export async function withDeadline<T>(
  deadlineMs: number,
  visitor: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const gone = () => new RenderFailure('CANCELLED', 'the visitor left');
  if (visitor.aborted) throw gone();
  const cut = new AbortController();
  let stop: (error: RenderFailure) => void = () => {};
  const cutOff = new Promise<never>((_, reject) => {
    stop = reject;
  });
  const leave = () => stop(gone());
  const timer = setTimeout(() => {
    stop(new RenderFailure('DEADLINE', `not done in ${deadlineMs} ms`));
    cut.abort(new DOMException(`not done in ${deadlineMs} ms`, 'TimeoutError'));
  }, deadlineMs);
  visitor.addEventListener('abort', leave, { once: true });
  try {
    return await Promise.race([cutOff, work(cut.signal)]);
  } finally {
    clearTimeout(timer);
    visitor.removeEventListener('abort', leave);
    // With a reason, as making the default one costs more than the rest of this function.
    cut.abort(ENDED);
  }
}
