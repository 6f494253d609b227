import type { Logger } from 'pino';
import type { ShellGates } from '../gate/shellGates.ts';
import type { PointerBoard } from '../pointers/pointerBoard.ts';
import type { PointerStore, ReleaseStore } from '../ports.ts';
import type { RegistryMetrics } from './telemetry.ts';

/** Dependencies of the request handlers. */
export interface AppDeps {
  releases: ReleaseStore;
  pointers: PointerStore;
  board: PointerBoard;
  /** Shells that must accept a release before canary, promote or pointer names it; none by default. */
  gates?: ShellGates;
  metrics: RegistryMetrics;
  logger: Logger;
}

export interface AppOptions {
  /** Bearer token that writes require. Without it, only local writes are allowed, see writeAccess. */
  token?: string;
  /** 0–11, default 11. */
  brotliQuality?: number;
  /** False during shutdown. */
  isAccepting?: () => boolean;
}
