import type { Logger } from 'pino';
import type { ShellGates } from '../gate/shellGates.ts';
import type { PointerBoard } from '../pointers/pointerBoard.ts';
import type { PointerStore } from '../pointers/pointerStore.ts';
import type { ReleaseStore } from '../releases/releaseStore.ts';
import type { RegistryMetrics } from './metrics.ts';

/** What the verbs work on. */
export interface AppDeps {
  releases: ReleaseStore;
  pointers: PointerStore;
  board: PointerBoard;
  /** Must accept what canary, promote and pointer point to; nobody is asked without. */
  gates?: ShellGates;
  metrics: RegistryMetrics;
  logger: Logger;
}

export interface AppOptions {
  /** Writers must present it as a bearer token. Without it writes are local only, see writeAccess. */
  token?: string;
  /** 0–11, default 11. */
  brotliQuality?: number;
  /** Turns false when the service is shutting down. */
  isAccepting?: () => boolean;
}
