import type { CertifiedContent, CertifiedSponsor } from '../../domain/callTypes.ts';
import { cacheable, ONE_HOUR } from '../../http/requests.ts';
import { MAKE_OFFER_VERSION } from '@forecourt/upstream/agreements';
import { sanitizeHtml } from '@forecourt/upstream/richText';
import { Router } from 'express';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StockOwner } from '../../domain/stock.ts';
import { ApiError } from '../../http/middleware.ts';
import type { Read } from '../../http/reads.ts';
import type { ListingStore } from '../../inventory/index.ts';
import { dealerDiffHtml, dealerDiffOf } from './dealerDiff.ts';
import type { DealerPages } from './dealerPages.ts';
import type { PictureSource } from './pictureRoutes.ts';

const IMMUTABLE = 'public, max-age=31536000, immutable';

/** A certified pre-owned program of a maker or of a third party. */
export interface CertifiedProgram {
  /** As listings name it in `certifiedProduct`. */
  readonly productId: string;
  readonly makeCode: string;
  readonly makeLabel: string;
  readonly heading: string;
  /** HTML; sanitized before it is sent. */
  readonly content: string;
  /** Image paths. */
  readonly tile: string;
  readonly logo: string;
  readonly inspectionLink?: string;
}

/** A program as the page lists it. */
const presentProgram = (program: CertifiedProgram): CertifiedContent => ({
  makeCode: program.makeCode,
  productId: program.productId,
  linkText: `About ${program.heading}`,
  cpoTile: program.tile,
  makeLabel: program.makeLabel,
  heading: program.heading,
  content: sanitizeHtml(program.content),
});

/** A program's sponsor; the page drops the inspection link. */
const presentSponsor = (program: CertifiedProgram): CertifiedSponsor & { inspectionLink?: string } => ({
  productId: program.productId,
  heading: program.heading,
  content: sanitizeHtml(program.content),
  logo: program.logo,
  inspectionLink: program.inspectionLink,
});

interface ContentRouteDeps {
  readonly store: ListingStore;
  readonly pictures: PictureSource;
  readonly dealerPages: DealerPages;
}

const notFound = () => new ApiError(404, 'CONTENT_NOT_FOUND', 'Content not found');

/** Certified programs and their sponsors. */
export function certifiedReads(certifiedPrograms: readonly CertifiedProgram[]): Read[] {
  const programs = certifiedPrograms.map(presentProgram);
  return [
    {
      path: '/content/static/json/atc/cpo/certifiedcontent.json',
      control: ONE_HOUR,
      read: () => programs,
    },
    {
      path: '/content/static/json/atc/cpo/sponsor/:file',
      control: ONE_HOUR,
      read({ params }) {
        const program = certifiedPrograms.find(({ productId }) => `${productId}.json` === params['file']);
        if (!program) throw notFound();
        return presentSponsor(program);
      },
    },
  ];
}

/** Dealer difference and the make-offer script. */
export function contentRoutes(deps: ContentRouteDeps): Router {
  const { store, pictures, dealerPages } = deps;
  const router = Router();
  const makeOffer = readFileSync(join(import.meta.dirname, 'makeOffer', 'make-offer.js'));
  const cached = cacheable(ONE_HOUR);
  const ownerOf = async (id: string): Promise<StockOwner> => {
    const owner = (await store.owners([id])).get(id);
    if (!owner) throw notFound();
    return owner;
  };

  router.get('/content/dealer_diff/:contentId.json', cached, async (request, response) => {
    const diff = dealerDiffOf(await ownerOf(request.params.contentId), pictures);
    if (!diff) throw notFound();
    response.json(diff);
  });
  router.get('/content/dealer_diff/:contentId.html', cached, async (request, response) => {
    const html = await dealerDiffHtml(await ownerOf(request.params.contentId), dealerPages);
    if (html === undefined) throw notFound();
    response.type('html').send(html);
  });
  router.get('/static/make-offer/:version/make-offer.js', (request, response) => {
    if (request.params.version !== MAKE_OFFER_VERSION) throw notFound();
    response.set('Cache-Control', IMMUTABLE).type('text/javascript').send(makeOffer);
  });
  return router;
}
