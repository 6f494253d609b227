import type { CallName, CallParams } from '@forecourt/shared-contracts/calls';
import type { SlotModule } from '@forecourt/shared-contracts/slots';
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
      /** ms since the epoch; the job is abandoned after it. */
      readonly expiresAt: number;
    }
  /** The job is abandoned. The worker replies `alive`, which detects a thread that hangs. */
  | { readonly kind: 'abort'; readonly id: number }
  | { readonly kind: 'result'; readonly call: number; readonly value: unknown }
  | {
      readonly kind: 'failure';
      readonly call: number;
      readonly message: string;
      /** The gateway's code, e.g. 'REFUSED'. */
      readonly code: string;
    };

export type FromWorker =
  | { readonly kind: 'ready' }
  | {
      readonly kind: 'unusable';
      readonly message: string;
      /** Kinds of resources that its modules started and did not stop. */
      readonly leftRunning?: readonly string[];
    }
  /** The job's data is loaded and its view is about to run: until `done` it blocks this thread. */
  | { readonly kind: 'painting'; readonly id: number }
  | {
      readonly kind: 'done';
      readonly id: number;
      readonly html: string;
      readonly structuredData?: object | undefined;
      readonly page?: NonNullable<ReturnType<NonNullable<SlotModule['page']>>> | undefined;
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
  /** An exception outside of any job. */
  | { readonly kind: 'stray'; readonly message: string };
