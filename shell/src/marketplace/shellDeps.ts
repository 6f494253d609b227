import type { SlotModule } from '@forecourt/slots';
import type { Router } from 'express';
import type { EngineAdapters } from '../engine/index.ts';
import type { Gateway } from '../engine/gateway/gateway.ts';
import type { SlugReferenceKeeper } from './urls/slugReference.ts';
import type { FlagSource } from './visitor/flags.ts';
import type { VisitorSessions } from './visitor/visitor.ts';

/** The app's dependencies: `server.ts` creates them, tests replace some. */
export interface ShellDeps extends EngineAdapters {
  readonly gateway: Gateway;
  readonly reference: SlugReferenceKeeper;
  /** Modules of the slots that the shell provides itself. */
  readonly ownSlots: Readonly<Record<string, SlotModule>>;
  /** The visitor's feature flags; without it the defaults. */
  readonly flags?: FlagSource;
  /** Without it visitors cannot sign in. */
  readonly sessions?: VisitorSessions;
  readonly accountRoutes?: Router;
  /** Receives logout tokens of the issuer. */
  readonly logoutRoute?: Router;
}
