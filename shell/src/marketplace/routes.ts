import { RESERVED_SEGMENTS, RESULTS_PATH } from '@forecourt/search/criteria';
import { Router, type RequestHandler } from 'express';
import { type EngineParts, type SiteRoutes, slotPage, type Site } from '../engine/index.ts';
import { upstreamFiles } from './pictures/upstreamFiles.ts';
import { adCreative } from './ads/adCreative.ts';
import type { ShellDeps } from './shellDeps.ts';
import { type ListingViews, stillInterested } from './beacons/beacons.ts';
import type { Config } from './config.ts';
import { helpPage, sendMessagePage } from './frame/messagePages.ts';
import { serviceWorker } from './notifications/serviceWorker.ts';
import { resultsPage } from './results/resultsPage.ts';
import { searchApi, searchMoreApi } from './results/searchApi.ts';
import { createSearchLoader } from './results/searchRequest.ts';
import { SLOTS_PATH } from './results/universal/slotsPath.ts';
import { emailLinks } from './saved/emailLinks.ts';
import { savedPages } from './saved/savedPages.ts';
import { seoRoutes } from './seo/routes.ts';

/** Without the exceptions of `RESULTS_PATHS`. */
const ALL_RESULTS_PATHS = [RESULTS_PATH, `${RESULTS_PATH}/*path`];

/** The same without those that may belong to other routes. The group makes Express refuse malformed encodings. */
const OTHER_PATHS = RESERVED_SEGMENTS.map((segment) => `${RESULTS_PATH}/${segment}`).join('|');
const RESULTS_PATHS = new RegExp(`^(?!(?:${OTHER_PATHS})(?:/|$))${RESULTS_PATH}(?:/(.*))?$`, 'i');

const redirectToBuildYourPrice: RequestHandler = (request, response) =>
  response.redirect(301, `/cars-for-sale/build-your-price${new URL(request.originalUrl, 'http://x').search}`);

/** The routes of the marketplace. */
export const marketplaceRoutes =
  (site: Site, deps: ShellDeps & { readonly views: ListingViews }, options: Config) =>
  (engine: EngineParts): SiteRoutes => {
    const { measured, limited, renders, writes, beacon } = engine;
    const { gateway, reference, logger, assets } = deps;
    const loader = createSearchLoader({ gateway, reference }, options);
    const results = engine.page(resultsPage({ gateway, loader, logger, report: engine.report }), {
      isCached: true,
    });
    const slotted = (kind: string, options: Parameters<typeof slotPage>[2] = {}) =>
      engine.page(slotPage({ site, logger }, kind, options));

    const files = Router();
    const upstream = options.MARKETPLACE_API_URL;
    files.get(
      ['/pictures/*path', '/static/*path'],
      upstreamFiles(upstream, { sendCompressed: engine.sendCompressed }),
    );
    files.get('/ads/creative', adCreative(upstream));

    const shared = Router();
    shared.use(seoRoutes(deps, renders));
    shared.get('/cars-for-sale/api/firebase-messaging-sw.js', serviceWorker);
    shared.get('/build-your-price', redirectToBuildYourPrice);

    const visitor = Router();
    visitor.get(SLOTS_PATH, measured('slots'), ...limited, results);
    visitor.get('/cars-for-sale/api/search', measured('search'), ...renders, searchApi(loader));
    visitor.get('/cars-for-sale/api/search/more', measured('search-more'), ...renders, searchMoreApi(loader));
    visitor.post('/cars-for-sale/still-interested/alert', writes, ...beacon, stillInterested({ gateway }));
    visitor.get(
      '/cars-for-sale/vehicle/:id',
      measured('vehicle'),
      ...renders,
      slotted('vehicle', { onShown: deps.views.recordView }),
    );
    for (const kind of ['compare', 'build-your-price'])
      visitor.get(`/cars-for-sale/${kind}`, measured(kind), ...renders, slotted(kind));
    visitor.get('/help', measured('help'), (_, response) =>
      sendMessagePage(response, helpPage, { css: assets.css, status: 200 }),
    );
    visitor.use(emailLinks(options.MARKETPLACE_API_URL, assets.css, writes));
    visitor.use('/account', measured('account'), writes);
    visitor.use(savedPages(deps, options, { renders, pageOf: slotted }));
    if (deps.accountRoutes) visitor.use(deps.accountRoutes);

    return {
      pages: {
        paths: RESULTS_PATHS,
        allPaths: ALL_RESULTS_PATHS,
        handlers: [measured('results'), ...limited, results],
      },
      programs: deps.logoutRoute,
      files,
      shared,
      visitor,
    };
  };
