import type { SearchResponse } from '@forecourt/shared-contracts/entities';
import { singleYear, singleValue, type SearchCriteria } from '@forecourt/shared-contracts/criteria';
import { findModelByCode } from '../catalogue/catalogue.ts';
import { ANY_TRIM, articlesAbout } from '../research/expertReviews.ts';

export type Editorial = Pick<SearchResponse, 'editorialContent' | 'editorialReviews'>;

const NOTHING: Editorial = { editorialReviews: [] };
/** Models times years that are kept; a model's texts take some milliseconds to write. */
const MAX_KEPT = 500;

/** The year that the texts are about: the one searched for, else the newest that is on sale. */
function yearOf(criteria: SearchCriteria, lastYear: number, currentYear: number): string {
  return singleYear(criteria.filters) ?? String(Math.min(lastYear, currentYear));
}

/**
 * What editors say about the one make and model of a search (A3-RESP-09): an
 * 'Overview' tab beside the model's figures, and links to the articles.
 */
export function createEditorial({ valuationUrl, now }: { valuationUrl: string; now: () => number }) {
  const kept = new Map<string, Editorial>();

  function write(year: string, make: string, model: string): Editorial {
    const articles = articlesAbout({ year, make, model, trim: ANY_TRIM });
    if (articles.length === 0) return NOTHING;
    const base = [year, make, model, ANY_TRIM].map(encodeURIComponent).join('/');
    return {
      editorialContent: {
        tabs: [
          {
            key: 'overview',
            label: 'Overview',
            sections: articles.map(({ title, paragraphs }) => ({
              heading: title,
              paragraphs: [...paragraphs],
            })),
          },
        ],
      },
      editorialReviews: articles.map(({ title, excerpt, slug }) => ({
        title,
        excerpt,
        link: `${valuationUrl}/expert-reviews/${base}/${slug}`,
      })),
    };
  }

  return (criteria: SearchCriteria): Editorial => {
    const makeCode = singleValue(criteria, 'makeCode');
    const modelCode = singleValue(criteria, 'modelCode');
    const model = makeCode && modelCode ? findModelByCode(makeCode, modelCode) : undefined;
    if (!makeCode || !model) return NOTHING;
    const year = yearOf(criteria, model.lastYear, new Date(now()).getUTCFullYear());
    const key = `${year}/${makeCode}/${model.code}`;
    const editorial = kept.get(key) ?? write(year, makeCode, model.code);
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(key, editorial);
    return editorial;
  };
}
