import type { Router } from 'express';
import type { Registry } from 'prom-client';
import type { Logger } from 'pino';
import type { SlotModule } from '@forecourt/shared-contracts/slots';
import type { Config } from '../config.ts';
import type { FlagSource } from '../flags/flagSource.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { ShellAssets } from '../page/assets.ts';
import type { Overrides } from '../overrides/createOverrides.ts';
import type { ReleaseArchive } from '../releases/archive.ts';
import type { CanaryWatch } from '../releases/canaryWatch.ts';
import type { ReleaseFollower } from '../releases/follower.ts';
import type { ReleaseGate } from '../releases/gateApi.ts';
import type { SlotRenderer } from '../rendering/slotRenderer.ts';
import type { SlugReferenceKeeper } from '../search/slugReference.ts';
import type { VisitorSessions } from '../session/visitorSession.ts';

/** What the shell's app works with; `server.ts` builds it, tests replace parts of it. */
export interface ShellDeps {
  readonly gateway: Gateway;
  readonly reference: SlugReferenceKeeper;
  readonly releases: Pick<ReleaseFollower, 'live' | 'find'> & Partial<Pick<ReleaseFollower, 'refused'>>;
  /** Tries releases that are not live. */
  readonly gate?: ReleaseGate;
  /** Hears how each release renders. */
  readonly canaries?: CanaryWatch;
  /** Files of releases that pages are no longer composed of. */
  readonly archive?: ReleaseArchive;
  /** Releases for testers; nobody can override any without it. */
  readonly overrides?: Overrides | undefined;
  readonly renderer: SlotRenderer;
  /** Which features a visitor has; the defaults without it. */
  readonly flags?: FlagSource;
  /** Nobody can sign in without them. */
  readonly sessions?: VisitorSessions;
  /** Signing in and out. */
  readonly accountRoutes?: Router;
  readonly ownSlots: Readonly<Record<string, SlotModule>>;
  readonly assets: ShellAssets;
  readonly metrics: Registry;
  readonly logger: Logger;
  readonly clock: () => Date;
  /** Shutting down: not ready any more. */
  readonly isStopping?: () => boolean;
}

export type ShellOptions = Pick<
  Config,
  | 'BRAND'
  | 'BRAND_HOSTS'
  | 'LOCAL_MODE'
  | 'MARKETPLACE_API_URL'
  | 'OIDC_ISSUER'
  | 'PAGE_CACHE_SECONDS'
  | 'REGISTRY_TOKEN'
  | 'FIREBASE_WEB_APP'
  | 'SIGN_IN_PATH'
  | 'TRUST_PROXY'
>;
