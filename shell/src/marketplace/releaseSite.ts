import * as catalog from '@forecourt/search/catalog';
import * as criteria from '@forecourt/search/criteria';
import searchPackage from '@forecourt/search/package.json' with { type: 'json' };
import * as query from '@forecourt/search/query';
import * as state from '@forecourt/search/state';
import * as url from '@forecourt/search/url';
import type { ReleaseSite } from '../engine/rendering/releaseSite.ts';

const { version } = searchPackage;

/** What releases get of the marketplace: its state, and the modules of its contract that they share with the shell. */
export const RELEASE_SITE: ReleaseSite = {
  state: state.marketplaceState,
  shared: {
    '@forecourt/search/catalog': { version, module: catalog },
    '@forecourt/search/criteria': { version, module: criteria },
    '@forecourt/search/query': { version, module: query },
    '@forecourt/search/state': { version, module: state },
    '@forecourt/search/url': { version, module: url },
  },
};
