import type { Request, RequestHandler, Response } from 'express';

export const SPECULATION_RULES_PATH = '/speculation-rules.json';

/**
 * Vehicle pages are fetched while the pointer rests on their link (https://wicg.github.io/nav-speculation). Fetched, not
 * rendered: nothing of a page runs before the visitor opens it, so it reports no impressions. Searches are no documents for
 * pages with scripts, which request them when their links are pressed. Browsers that save data fetch nothing ahead.
 */
const RULES = {
  prefetch: [
    {
      source: 'document',
      where: { href_matches: '/cars-for-sale/vehicle/*' },
      eagerness: 'moderate',
    },
  ],
};
const BODY = JSON.stringify(RULES);

/** `GET /speculation-rules.json` */
export const speculationRules: RequestHandler = (_, response) =>
  response.type('application/speculationrules+json').set('Cache-Control', 'public, max-age=3600').send(BODY);

/** A header, because the policy of pages allows no other inline scripts. */
export const setSpeculationRules = (response: Response): Response =>
  response.set('Speculation-Rules', `"${SPECULATION_RULES_PATH}"`);

/** Whether the browser fetches a page that the visitor may never open. */
export const isPrefetch = ({ headers }: Pick<Request, 'headers'>): boolean =>
  String(headers['sec-purpose'] ?? '').includes('prefetch');
