import type { ConsumerRatings, ExpertReview, SafetyInfo, TrimSpec } from '../../domain/callTypes.ts';
import { cacheable, ONE_HOUR } from '../../http/requests.ts';
import type { Trim } from '@forecourt/upstream/entities';
import escapeHtml from 'escape-html';
import { Router } from 'express';
import { z } from 'zod';
import { ApiError } from '../../http/middleware.ts';
import type { Read, ReadRequest } from '../../http/reads.ts';

/** An article; one paragraph per entry. */
export interface Article {
  readonly slug: string;
  readonly title: string;
  readonly excerpt: string;
  readonly paragraphs: readonly string[];
  readonly author: string;
  readonly picture: { readonly src: string; readonly alt: string };
}

/** Path segment that stands for every trim. */
export const ANY_TRIM = 'all';

/** Path segments: a year, then slugs or codes; `trim` may be `ANY_TRIM`. */
export interface ArticleSubject {
  readonly year: string;
  readonly make: string;
  readonly model: string;
  readonly trim: string;
}

/** Facts and opinions of the valuation brand. Undefined stands for an unknown vehicle id. */
export interface ResearchSource {
  /** Trims of a model year, the cheapest first; empty for an unknown model. */
  vehicles(year: number, makeCode: string, modelCode: string): Trim[];
  consumerRatings(vehicleId: string): ConsumerRatings | undefined;
  safety(vehicleId: string): SafetyInfo | undefined;
  specs(vehicleId: string): TrimSpec[] | undefined;
  articles(subject: ArticleSubject): Article[];
}

export interface ResearchRouteDeps {
  readonly research: ResearchSource;
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

/** An article as the valuation site lists it; `_embed` adds author and picture. */
const presentArticle = (article: Article, link: string, isEmbedding: boolean): ExpertReview => ({
  title: article.title,
  link,
  excerpt: article.excerpt,
  ...(isEmbedding && {
    _embedded: {
      author: [{ name: article.author }],
      'wp:featuredmedia': [{ source_url: article.picture.src, alt_text: article.picture.alt }],
    },
  }),
});

const EXPERT_REVIEWS = '/expert-reviews/:year/:make/:model/:trim';

const subjectOf = ({
  year = '',
  make = '',
  model = '',
  trim = '',
}: ReadRequest['params']): ArticleSubject => ({
  year,
  make,
  model,
  trim,
});

/** Facts and opinions of the valuation brand. */
export function researchReads({ research, valuationUrl }: Omit<ResearchRouteDeps, 'siteUrl'>): Read[] {
  const KBB = '/cars-for-sale/kbbresearch';
  const facts = (name: string, factsOf: (vehicleId: string) => object | undefined): Read => ({
    path: `${KBB}/${name}/:vehicleId`,
    control: ONE_HOUR,
    read({ params }) {
      const found = factsOf(params['vehicleId']!);
      if (found === undefined) throw new ApiError(404, 'VEHICLE_NOT_FOUND', 'Reference vehicle not found');
      return found;
    },
  });
  return [
    {
      path: `${KBB}/reference/vehicles`,
      control: ONE_HOUR,
      read({ query }) {
        const { yearId, atcMakeCode, atcModelCode } = vehicleQuery.parse(Object.fromEntries(query));
        if (!yearId || !atcMakeCode || !atcModelCode)
          throw new ApiError(400, 'INVALID_PARAMETERS', 'yearId, atcMakeCode and atcModelCode are required');
        const year = Number(yearId);
        return { items: research.vehicles(year, atcMakeCode.toUpperCase(), atcModelCode.toUpperCase()) };
      },
    },
    facts('consumer-ratings', (id) => research.consumerRatings(id)),
    facts('safety', (id) => research.safety(id)),
    facts('specs', (id) => research.specs(id)),
    {
      path: EXPERT_REVIEWS,
      control: ONE_HOUR,
      read({ query, params }) {
        const subject = subjectOf(params);
        const { year, make, model, trim } = subject;
        const base = `${valuationUrl}/expert-reviews/${[year, make, model, trim].map(encodeURIComponent).join('/')}`;
        const articles = research.articles(subject);
        return articles.map((one) => presentArticle(one, `${base}/${one.slug}`, query.has('_embed')));
      },
    },
  ];
}

/** The valuation site's articles as pages. */
export function articleRoutes({ research, siteUrl }: Omit<ResearchRouteDeps, 'valuationUrl'>): Router {
  const router = Router();
  router.get(`${EXPERT_REVIEWS}/:slug`, cacheable(ONE_HOUR), (request, response) => {
    const article = research.articles(request.params).find(({ slug }) => slug === request.params.slug);
    if (!article) throw new ApiError(404, 'ARTICLE_NOT_FOUND', 'Article not found');
    response.set('Content-Security-Policy', ARTICLE_CSP).type('html').send(articlePage(article, siteUrl));
  });
  return router;
}

/** No scripts, inline styles, pictures from this server. */
const ARTICLE_CSP =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; frame-ancestors 'none'; base-uri 'none'";

function articlePage({ title, excerpt, paragraphs, author, picture }: Article, siteUrl: string): string {
  const body = paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`).join('\n');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} | Forecourt Values</title><meta name="description" content="${escapeHtml(excerpt)}">
<style>:root{color-scheme:light dark}body{font:1.0625rem/1.6 system-ui,sans-serif;max-inline-size:42rem;margin:2rem auto;padding-inline:1rem}
img{inline-size:100%;block-size:auto}.by{opacity:.75}</style></head>
<body><main><article><h1>${escapeHtml(title)}</h1><p class="by">By ${escapeHtml(author)}</p>
<img src="${escapeHtml(picture.src)}" alt="${escapeHtml(picture.alt)}" width="640" height="360">
${body}</article><p><a href="${escapeHtml(siteUrl)}/cars-for-sale/all-cars">See what’s for sale</a></p></main></body></html>`;
}
