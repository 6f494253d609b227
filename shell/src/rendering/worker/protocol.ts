import type { CallName, CallParams } from '@forecourt/shared-contracts/calls';
import type { createStore } from '@forecourt/shared-contracts/store';

/** What a worker is started with: the verified sources of one release. */
export interface WorkerData {
  readonly releaseId: string;
  readonly entry: string;
  readonly sources: ReadonlyMap<string, string>;
  readonly slots: Readonly<Record<string, { readonly expose: string }>>;
}

export type ToWorker =
  | {
      readonly kind: 'render';
      readonly id: number;
      readonly slot: string;
      readonly state: NonNullable<Parameters<typeof createStore>[0]>;
      /** ms since the epoch; nobody waits for the job after it. */
      readonly expiresAt: number;
    }
  /** Nobody waits for the job any more. Answered with `alive`, so that a thread that hangs is found out. */
  | { readonly kind: 'abort'; readonly id: number }
  | { readonly kind: 'answer'; readonly call: number; readonly value: unknown }
  | { readonly kind: 'refusal'; readonly call: number; readonly message: string };

export type FromWorker =
  | { readonly kind: 'ready' }
  | {
      readonly kind: 'unusable';
      readonly message: string;
      /** Kinds of what its modules started and did not end. */
      readonly leftRunning?: readonly string[];
    }
  /** The job's data is here, its view is about to run: until `done` nothing else can run in this thread. */
  | { readonly kind: 'painting'; readonly id: number }
  | {
      readonly kind: 'done';
      readonly id: number;
      readonly html: string;
      readonly structuredData?: object | undefined;
      readonly data: unknown;
      /** Bytes outside of the heap. */
      readonly memory: number;
    }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string; readonly memory: number }
  | { readonly kind: 'alive' }
  | {
      readonly kind: 'call';
      readonly id: number;
      readonly call: number;
      readonly name: CallName;
      readonly params: CallParams;
    }
  /** An exception outside of any job: the release's, not that of the request at hand. */
  | { readonly kind: 'stray'; readonly message: string };
