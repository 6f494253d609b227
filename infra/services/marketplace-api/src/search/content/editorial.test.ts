import { describe, expect, it } from '@jest/globals';
import type { FilterValues, SearchCriteria } from '@forecourt/search/criteria';
import { searchResponseSchema } from '@forecourt/upstream/entities';
import { demoContent } from '../../testing/testApp.ts';
import { createEditorial } from './editorial.ts';

const criteria = (filters: FilterValues): SearchCriteria => ({
  filters,
  sortBy: 'relevance',
  firstRecord: 0,
  numRecords: 30,
  unknown: [],
});
const editorial = createEditorial({
  ...demoContent,
  valuationUrl: 'http://values',
  now: () => Date.UTC(2026, 5, 1),
});
const CAMRY: FilterValues = { makeCode: ['TOYOTA'], modelCode: ['CAMRY'] };

describe('editorial content', () => {
  // rows: A3-RESP-09
  it('returns an overview tab and article links for one make and model', () => {
    const { editorialContent, editorialReviews } = editorial(criteria(CAMRY));
    const { tabs } = searchResponseSchema.shape.editorialContent.unwrap().parse(editorialContent);
    expect(tabs).toEqual([expect.objectContaining({ key: 'overview', label: 'Overview' })]);
    expect(tabs[0]!.sections[0]!.paragraphs.join(' ')).toContain('Camry');
    expect(editorialReviews[0]!.link).toMatch(
      /^http:\/\/values\/expert-reviews\/2026\/TOYOTA\/CAMRY\/all\/[a-z0-9-]+$/,
    );
  });

  it('returns articles about the model year of the search', () => {
    const year = editorial(criteria({ ...CAMRY, startYear: ['2019'], endYear: ['2019'] }));
    expect(year.editorialReviews[0]!.link).toContain('/2019/');
  });

  it('returns no editorial content for several models or an unknown model', () => {
    for (const filters of [
      {},
      { makeCode: ['TOYOTA'] },
      { ...CAMRY, modelCode: ['CAMRY', 'COROLLA'] },
      { makeCode: ['TOYOTA'], modelCode: ['NOSUCH'] },
    ])
      expect(editorial(criteria(filters))).toEqual({ editorialReviews: [] });
  });
});
