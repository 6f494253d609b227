import { type Catalog, EMPTY_CATALOG } from '../../domain/catalog.ts';
import type { AdSource } from './adRoutes.ts';
import type { CertifiedProgram } from './contentRoutes.ts';
import type { PictureSource } from './pictureRoutes.ts';
import type { ResearchSource } from './researchRoutes.ts';

/** Content beside the listings. The demo data implements all of it; without it the service runs on its listings alone. */
export interface ContentSources {
  readonly catalog: Catalog;
  readonly pictures: PictureSource;
  readonly research: ResearchSource;
  readonly ads: AdSource;
  readonly certifiedPrograms: readonly CertifiedProgram[];
}

/** No catalog, pictures, research or ads: each call returns its empty result or 404. */
export const NO_CONTENT: ContentSources = {
  catalog: EMPTY_CATALOG,
  pictures: {
    gallery: () => [],
    spinFrames: () => [],
    tile: () => undefined,
    logo: () => undefined,
    render: () => undefined,
  },
  research: {
    vehicles: () => [],
    consumerRatings: () => undefined,
    safety: () => undefined,
    specs: () => undefined,
    articles: () => [],
  },
  ads: { choose: () => undefined },
  certifiedPrograms: [],
};
