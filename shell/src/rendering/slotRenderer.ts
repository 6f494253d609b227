import type { CallName, CallParams } from '@forecourt/shared-contracts/calls';
import type { LoadedRelease } from '../releases/release.ts';
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
