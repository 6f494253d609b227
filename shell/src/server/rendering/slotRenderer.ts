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
  /** Limit for the synchronous run of the view; default the renderer's own. */
  readonly paintMs?: number;
  /** Runs a call of the table for the slot's `load`. */
  readonly call: (name: CallName, params: CallParams, signal: AbortSignal) => Promise<unknown>;
  /** Aborted when the client disconnects. */
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
  /** From `prepare`: modules of the release left timers or handles running. */
  | 'LEFT_RUNNING';

/** Why a slot has no HTML. */
export class RenderFailure extends Error {
  override readonly name = 'RenderFailure';
  readonly code: RenderFailureCode;
  constructor(code: RenderFailureCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Renders a release's slots on the server. */
export interface SlotRenderer {
  /**
   * Loads the release and its slot modules. Rejects if that fails; the worker adapter also rejects with LEFT_RUNNING.
   */
  readonly prepare: (release: LoadedRelease) => Promise<void>;
  /** Rejects with RenderFailure, at the deadline at the latest. */
  readonly render: (job: RenderJob) => Promise<RenderedSlot>;
  /** Unloads a release; jobs in progress finish on it. */
  readonly retire: (releaseId: string) => void;
  readonly close: () => Promise<void>;
}

const ENDED = 'the slot has ended';

/**
 * Runs `work` until it ends, the deadline passes or the client disconnects;
 * then its signal is aborted and the promise rejects. At the deadline the
 * signal's reason is a TimeoutError, like that of `AbortSignal.timeout`, so that
 * slow calls can be told from calls of a client that disconnected.
 */
export async function withDeadline<T>(
  deadlineMs: number,
  visitor: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const gone = () => new RenderFailure('CANCELLED', 'the client disconnected');
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
    // Creating the default reason would cost more than the rest of this function.
    cut.abort(ENDED);
  }
}
