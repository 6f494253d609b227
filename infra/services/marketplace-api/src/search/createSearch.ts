import type { Router } from 'express';
import { createPlaceFinder, type PlaceFinder, type ZipDirectory } from '../domain/places/index.ts';
import type { Read } from '../http/reads.ts';
import type { ListingStore, PhotoFiles, SharePainter } from '../inventory/index.ts';
import { adRoutes } from './content/adRoutes.ts';
import { certifiedReads, contentRoutes } from './content/contentRoutes.ts';
import type { ContentSources } from './content/contentSources.ts';
import type { DealerPages } from './content/dealerPages.ts';
import { createEditorial } from './content/editorial.ts';
import { pictureRoutes } from './content/pictureRoutes.ts';
import { articleRoutes, researchReads } from './content/researchRoutes.ts';
import { shareRoutes } from './content/shareRoutes.ts';
import type { ListingIndex } from './listingIndex/listingIndex.ts';
import { listingRoutes } from './listings/listingRoutes.ts';
import { ListingSearch } from './listings/listingSearch.ts';
import { referenceRoutes, siteRoutes } from './reference/referenceRoutes.ts';

export interface SearchDeps {
  readonly index: ListingIndex;
  readonly store: ListingStore;
  readonly content: ContentSources;
  readonly zips: ZipDirectory;
  readonly photoFiles: PhotoFiles;
  readonly dealerPages: DealerPages;
  readonly sharePainter: SharePainter;
  /** Origin of the valuation site's articles. */
  readonly valuationUrl: string;
  /** Origin of the site, for links back. */
  readonly siteUrl: string;
  readonly siteName: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface Search {
  readonly search: ListingSearch;
  readonly places: PlaceFinder;
  /** Calls whose responses are the same for every visitor. */
  readonly reads: readonly Read[];
  /** Pictures, articles, dealers' content and ads. */
  readonly routes: readonly Router[];
}

/** The part that finds listings and describes them. */
export function createSearch(deps: SearchDeps): Search {
  const { index, store, content, zips, photoFiles, valuationUrl, siteUrl, siteName, now } = deps;
  const { catalog, pictures, research } = content;
  const places = createPlaceFinder(zips);
  const editorial = createEditorial({ catalog, research, valuationUrl, now });
  const search = new ListingSearch({ index, store, catalog, pictures, editorial, now });
  return {
    search,
    places,
    reads: [
      ...listingRoutes({ search, index, places }),
      ...referenceRoutes({ index, catalog, places, now }),
      ...siteRoutes({ zips }),
      ...researchReads({ research, valuationUrl }),
      ...certifiedReads(content.certifiedPrograms),
    ],
    routes: [
      shareRoutes({ index, store, pictures, photoFiles, painter: deps.sharePainter, siteName }),
      pictureRoutes(pictures),
      articleRoutes({ research, siteUrl }),
      contentRoutes({ store, pictures, dealerPages: deps.dealerPages }),
      adRoutes({ index, ads: content.ads }),
    ],
  };
}
