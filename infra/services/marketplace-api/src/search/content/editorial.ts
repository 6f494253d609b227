import { type SearchCriteria, singleValue, singleYear } from '@forecourt/search/criteria';
import type { SearchResponse } from '@forecourt/upstream/entities';
import type { Catalog } from '../../domain/catalog.ts';
import { ANY_TRIM, type ResearchSource } from './researchRoutes.ts';

type Editorial = Pick<SearchResponse, 'editorialContent' | 'editorialReviews'>;
export type EditorialFinder = (criteria: SearchCriteria) => Editorial;

const NO_EDITORIAL: Editorial = { editorialReviews: [] };
/** Cached texts, one per model and year; writing one takes a few milliseconds. */
const MAX_CACHED = 500;

export interface EditorialDeps {
  readonly catalog: Catalog;
  readonly research: ResearchSource;
  /** Origin of the valuation site, where the articles are read. */
  readonly valuationUrl: string;
  readonly now: () => number;
}

/** An 'Overview' tab and links to articles for the one make and model of a search. */
export function createEditorial({ catalog, research, valuationUrl, now }: EditorialDeps): EditorialFinder {
  const cache = new Map<string, Editorial>();

  function write(year: string, make: string, model: string): Editorial {
    const articles = research.articles({ year, make, model, trim: ANY_TRIM });
    if (articles.length === 0) return NO_EDITORIAL;
    const base = [year, make, model, ANY_TRIM].map(encodeURIComponent).join('/');
    const sections = articles.map(({ title, paragraphs }) => ({
      heading: title,
      paragraphs: [...paragraphs],
    }));
    return {
      editorialContent: { tabs: [{ key: 'overview', label: 'Overview', sections }] },
      editorialReviews: articles.map(({ title, excerpt, slug }) => ({
        title,
        excerpt,
        link: `${valuationUrl}/expert-reviews/${base}/${slug}`,
      })),
    };
  }

  return (criteria) => {
    const makeCode = singleValue(criteria, 'makeCode');
    const modelCode = singleValue(criteria, 'modelCode');
    const model = makeCode && modelCode ? catalog.findModel(makeCode, modelCode) : undefined;
    if (!makeCode || !model) return NO_EDITORIAL;
    // The year of the search, else the newest one on sale.
    const newest = Math.min(model.lastYear, new Date(now()).getUTCFullYear());
    const year = singleYear(criteria.filters) ?? String(newest);
    const key = `${year}/${makeCode}/${model.code}`;
    const editorial = cache.get(key) ?? write(year, makeCode, model.code);
    if (cache.size >= MAX_CACHED) cache.clear();
    cache.set(key, editorial);
    return editorial;
  };
}
