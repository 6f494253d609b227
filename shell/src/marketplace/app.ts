import type { Express } from 'express';
import { createEngine } from '../engine/index.ts';
import { createListingViews } from './beacons/beacons.ts';
import type { Config } from './config.ts';
import { withSlugReference } from './urls/slugReference.ts';
import { marketplaceRoutes } from './routes.ts';
import type { ShellDeps } from './shellDeps.ts';
import { marketplaceSite } from './site.ts';

/** The marketplace as an Express app. Reads no environment and does not listen. */
export function createApp(deps: ShellDeps, options: Config): Express {
  const views = createListingViews(deps);
  const site = marketplaceSite({ ...deps, views }, options);
  const gateway = withSlugReference(deps.gateway, deps.reference);
  return createEngine(
    site,
    marketplaceRoutes(site, { ...deps, views }, options),
    { ...deps, gateway },
    options,
  );
}
