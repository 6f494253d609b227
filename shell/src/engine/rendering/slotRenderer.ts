import type { StateSlice } from '@forecourt/slots/state';
import type { SlotModule } from '@forecourt/slots';
import type { CallName, CallParams } from '@forecourt/slots/calls';
import type { LoadedRelease } from './release.ts';
import type { ShellWork } from './shellTime.ts';

export interface RenderJob {
  readonly release: LoadedRelease;
  readonly slot: string;
  readonly state: StateSlice;
  /** From now to the last byte of HTML. */
  readonly deadlineMs: number;
  /** The deadline may be extended to this multiple while the machine is busy; default 2. */
  readonly maxDeadlineFactor?: number;
  /** Limit of the job's CPU time; default the renderer's own. */
  readonly cpuMs?: number;
  /** The state names the visitor: the process renderer runs the job in a process that serves no one else. */
  readonly isPersonal?: boolean;
  /** Fails the job when the slot reads a part of the state that is not in its `reads` (the gate). */
  readonly checksReads?: boolean;
  /** What the server's side loaded, for that of browsers, which does not load it again. */
  readonly loaded?: { readonly data: unknown };
  /** Runs a call of the table for the slot's `load`. */
  readonly call: (name: CallName, params: CallParams, signal: AbortSignal) => Promise<unknown>;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

export interface RenderedSlot {
  readonly html: string;
  /** The same in UTF-8, from a release's process: it is checked and sent as it came, because `html` would decode it. */
  readonly bytes?: Buffer | undefined;
  readonly data: unknown;
  /** Parts of the data were late. */
  readonly isPartial?: boolean | undefined;
  /** JSON-LD for search engines. */
  readonly structuredData?: object | undefined;
  /** What a main slot decided about its page; not yet checked. */
  readonly page?: NonNullable<ReturnType<NonNullable<SlotModule['page']>>> | undefined;
}

/** A slot of a release's process, whose HTML is decoded only if it is asked for. */
export const slotOfBytes = (bytes: Buffer, rest: Omit<RenderedSlot, 'html' | 'bytes'>): RenderedSlot => ({
  get html() {
    return bytes.toString('utf8');
  },
  bytes,
  ...rest,
});

export type RenderFailureCode =
  | 'DEADLINE'
  | 'THREW'
  | 'DIED'
  | 'PAUSED'
  | 'CANCELLED'
  | 'NOT_PREPARED'
  /** Its HTML would affect more than the slot. */
  | 'BAD_HTML'
  /** From `prepare`: modules of the release left timers or handles running. */
  | 'LEFT_RUNNING';

/** Why a slot has no HTML. */
export class RenderFailure extends Error {
  override readonly name = 'RenderFailure';
  readonly code: RenderFailureCode;
  /** Frames within the release, if its code threw. */
  readonly releaseStack: string | undefined;
  /** The slot would have met its deadline, but for the time in which it waited for the machine. */
  readonly isOfMachine: boolean;
  constructor(
    code: RenderFailureCode,
    message: string,
    {
      releaseStack,
      isOfMachine = false,
    }: { readonly releaseStack?: string | undefined; readonly isOfMachine?: boolean } = {},
  ) {
    super(message);
    this.code = code;
    this.releaseStack = releaseStack;
    this.isOfMachine = isOfMachine;
  }
}

/** Renders a release's slots on the server. */
export interface SlotRenderer {
  /** The state as JSON, each part encoded once; absent where slots get objects. */
  readonly encodeState?: ((state: RenderJob['state']) => readonly Buffer[]) | undefined;
  /**
   * Loads the release and its slot modules. Rejects if that fails; the process adapter also rejects with LEFT_RUNNING.
   */
  readonly prepare: (release: LoadedRelease) => Promise<void>;
  /** Rejects with RenderFailure, at the deadline at the latest. */
  readonly render: (job: RenderJob) => Promise<RenderedSlot>;
  /** Charges a release for CPU time of the shell's thread, ms, which it may not take for itself. */
  readonly spendShellTime?: ((releaseId: string, ms: number, work: ShellWork) => void) | undefined;
  /** Unloads a release; jobs in progress finish on it. */
  readonly retire: (releaseId: string) => void;
  readonly close: () => Promise<void>;
}

const ENDED = 'the slot has ended';

const DEFAULT_DEADLINE_FACTOR = 2;

/**
 * Runs `work` until it ends, the deadline passes or the client disconnects; then its signal is aborted and the promise
 * rejects. At the deadline the signal's reason is a TimeoutError, like that of `AbortSignal.timeout`, so that slow calls
 * can be told from calls of a client that disconnected. `blockedMs` gives the time since the start in which `work` could
 * not go on because the machine was busy or other jobs came first; the deadline is extended by it, to `maxDeadlineFactor`
 * times at most. `machineMs` is the part of it that the machine took.
 */
export async function withDeadline<T>(
  deadlineMs: number,
  client: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
  {
    blockedMs = () => 0,
    machineMs = blockedMs,
    maxDeadlineFactor = DEFAULT_DEADLINE_FACTOR,
  }: {
    readonly blockedMs?: () => number;
    readonly machineMs?: () => number;
    readonly maxDeadlineFactor?: number | undefined;
  } = {},
): Promise<T> {
  const disconnected = () => new RenderFailure('CANCELLED', 'the client disconnected');
  if (client.aborted) throw disconnected();
  const abort = new AbortController();
  const ended = Promise.withResolvers<never>();
  const startedAt = performance.now();
  let timer = setTimeout(expire, deadlineMs);
  function expire(): void {
    const elapsed = performance.now() - startedAt;
    const blocked = blockedMs();
    const left = Math.min(deadlineMs - elapsed + blocked, deadlineMs * maxDeadlineFactor - elapsed);
    if (left >= 1) {
      timer = setTimeout(expire, left);
      return;
    }
    const busy = blocked < 1 ? '' : `, ${Math.round(blocked)} of them waiting for the machine`;
    const message = `not done in ${Math.round(Math.max(elapsed, deadlineMs))} ms${busy}`;
    // Timers are exact to a millisecond.
    const isOfMachine = elapsed - machineMs() < deadlineMs - 1;
    ended.reject(new RenderFailure('DEADLINE', message, { isOfMachine }));
    abort.abort(new DOMException(message, 'TimeoutError'));
  }
  const leave = () => ended.reject(disconnected());
  client.addEventListener('abort', leave, { once: true });
  try {
    return await Promise.race([ended.promise, work(abort.signal)]);
  } finally {
    clearTimeout(timer);
    client.removeEventListener('abort', leave);
    // Creating the default reason would cost more than the rest of this function.
    abort.abort(ENDED);
  }
}
