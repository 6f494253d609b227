import { Router } from 'express';
import { z } from 'zod';
import { ApiError } from '../http/apiError.ts';
import { cacheable, ONE_HOUR } from '../http/caching.ts';
import { articlePage, ARTICLE_CSP } from './articlePage.ts';
import { consumerRatingsOf } from './consumerRatings.ts';
import { articlesAbout, presentArticle } from './expertReviews.ts';
import { safetyOf } from './safety.ts';
import { specsOf } from './specs.ts';
import { findVehicle, presentVehicle, vehiclesOf, type ReferenceVehicle } from './vehicles.ts';

export interface ResearchRouteDeps {
  /** Origin of the valuation site, where its articles are read. */
  readonly valuationUrl: string;
  /** Origin of the site, for links back. */
  readonly siteUrl: string;
}

const text = z.string().optional().catch(undefined);
const vehicleQuery = z.object({
  yearId: z
    .string()
    .regex(/^\d{4}$/)
    .optional()
    .catch(undefined),
  atcMakeCode: text,
  atcModelCode: text,
});

/** Facts and opinions of the valuation brand (B7-REF-01..03, B7-RATE-01, B7-EXPERT-01, AMB-185, AMB-186, AMB-192). */
export function researchRoutes({ valuationUrl, siteUrl }: ResearchRouteDeps): Router {
  const router = Router();
  const vehicleOf = (id: string): ReferenceVehicle => {
    const vehicle = findVehicle(id);
    if (!vehicle) throw new ApiError(404, 'VEHICLE_NOT_FOUND', 'There is no such reference vehicle');
    return vehicle;
  };
  const kept = cacheable(ONE_HOUR);
  const KBB = '/cars-for-sale/kbbresearch';

  router.get(`${KBB}/reference/vehicles`, kept, (request, response) => {
    const { yearId, atcMakeCode, atcModelCode } = vehicleQuery.parse(request.query);
    if (!yearId || !atcMakeCode || !atcModelCode)
      throw new ApiError(400, 'INVALID_PARAMETERS', 'yearId, atcMakeCode and atcModelCode are needed');
    const vehicles = vehiclesOf(Number(yearId), atcMakeCode.toUpperCase(), atcModelCode.toUpperCase());
    response.json({ items: vehicles.map(presentVehicle) });
  });
  router.get(`${KBB}/consumer-ratings/:vehicleId`, kept, (request, response) => {
    response.json(consumerRatingsOf(vehicleOf(request.params.vehicleId)));
  });
  router.get(`${KBB}/safety/:vehicleId`, kept, (request, response) => {
    response.json(safetyOf(vehicleOf(request.params.vehicleId)));
  });
  router.get(`${KBB}/specs/:vehicleId`, kept, (request, response) => {
    response.json(specsOf(vehicleOf(request.params.vehicleId)));
  });

  const PATH = '/expert-reviews/:year/:make/:model/:trim';
  router.get(PATH, kept, (request, response) => {
    const { year, make, model, trim } = request.params;
    const base = `${valuationUrl}/expert-reviews/${[year, make, model, trim].map(encodeURIComponent).join('/')}`;
    const isEmbedding = request.query['_embed'] !== undefined;
    const articles = articlesAbout(request.params);
    response.json(articles.map((one) => presentArticle(one, `${base}/${one.slug}`, isEmbedding)));
  });
  router.get(`${PATH}/:slug`, kept, (request, response) => {
    const article = articlesAbout(request.params).find(({ slug }) => slug === request.params.slug);
    if (!article) throw new ApiError(404, 'ARTICLE_NOT_FOUND', 'There is no such article');
    response.set('Content-Security-Policy', ARTICLE_CSP).type('html').send(articlePage(article, siteUrl));
  });
  return router;
}
