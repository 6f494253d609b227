import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { FilterValues } from '@forecourt/search/criteria';
import type { ReferenceData } from '../data/loadReference.ts';
import { F150, sampleData, stateOf } from '../testing/sampleData.ts';
import {
  FAQ_MIN_USED_RESULTS,
  REFERENCE_TABS,
  referenceTabs,
  sectionOf,
  type TabContext,
} from './section.ts';

const NO_CONTENT: TabContext = {
  yearCount: 0,
  trimCount: 0,
  comparedTrimCount: 0,
  safetyRatingCount: 0,
  consumerRatingCount: 0,
  hasQuestions: false,
  isYearMakeModel: false,
  hasTrim: false,
  usedCount: 0,
};
const ALL: TabContext = {
  yearCount: 3,
  trimCount: 2,
  comparedTrimCount: 4,
  safetyRatingCount: 4,
  consumerRatingCount: 5,
  hasQuestions: true,
  isYearMakeModel: true,
  hasTrim: false,
  usedCount: 100,
};
const keys = (changes: Partial<TabContext>, base = NO_CONTENT) =>
  referenceTabs({ ...base, ...changes }).map(({ key }) => key);

describe('reference tabs', () => {
  // rows: B1-OFFER-11
  it('lists all five tabs in order when all data exist', () => {
    expect(referenceTabs(ALL)).toEqual(REFERENCE_TABS);
    expect(REFERENCE_TABS.map(({ label }) => label)).toEqual([
      'Pricing',
      'Compare Trims',
      'Safety',
      'Consumer Reviews',
      'FAQs',
    ]);
    expect(keys({})).toEqual([]);
  });

  // rows: B4-MR-01
  it('shows Pricing exactly when there are years or trims', () => {
    fc.assert(
      fc.property(fc.nat(30), fc.nat(30), (yearCount, trimCount) => {
        expect(keys({ yearCount, trimCount })).toEqual(yearCount + trimCount > 0 ? ['pricing'] : []);
      }),
    );
  });

  // rows: B4-MR-06
  it('shows Compare Trims exactly when the model has trims to compare', () => {
    expect(keys({ comparedTrimCount: 1 })).toEqual(['compare-trims']);
    expect(keys({ comparedTrimCount: 0 }, ALL)).not.toContain('compare-trims');
  });

  // rows: B4-MR-04
  it('shows Safety exactly when there are safety ratings and no trim is selected', () => {
    expect(keys({ safetyRatingCount: 1 })).toEqual(['safety']);
    expect(keys({ safetyRatingCount: 0 }, ALL)).not.toContain('safety');
    expect(keys({ hasTrim: true }, ALL)).not.toContain('safety');
  });

  // rows: B4-MR-05
  it('shows Consumer Reviews exactly when there are consumer ratings', () => {
    expect(keys({ consumerRatingCount: 1 })).toEqual(['consumer-reviews']);
    expect(keys({ consumerRatingCount: 0 }, ALL)).not.toContain('consumer-reviews');
  });

  // rows: B4-MR-02
  it('shows FAQs for one year, make and model', () => {
    expect(keys({ hasQuestions: true, isYearMakeModel: true })).toEqual(['faqs']);
    expect(keys({ isYearMakeModel: true })).toEqual([]);
  });

  // rows: B4-MR-03
  it('shows FAQs for a make and model with enough used results', () => {
    const faqs = (usedCount: number) => keys({ hasQuestions: true, usedCount });
    expect(faqs(FAQ_MIN_USED_RESULTS)).toEqual(['faqs']);
    expect(faqs(FAQ_MIN_USED_RESULTS - 1)).toEqual([]);
    expect(FAQ_MIN_USED_RESULTS).toBe(25);
  });

  it('appends editorial tabs, which cannot replace own tabs', () => {
    const editorialTabs = [
      { key: 'overview', label: 'Overview' },
      { key: 'pricing', label: 'Cheap!' },
    ];
    expect(referenceTabs({ ...ALL, editorialTabs })).toEqual([...REFERENCE_TABS, editorialTabs[0]]);
  });

  // rows: B4-MR-07
  it('shows only the tabs that editorial content names, if it names any', () => {
    expect(keys({ onlyTabs: ['safety'] }, ALL)).toEqual(['safety']);
    expect(keys({ onlyTabs: ['pricing', 'safety'], hasTrim: true }, ALL)).toEqual(['pricing']);
    expect(keys({ onlyTabs: [] }, ALL)).toHaveLength(5);
  });
});

describe('sectionOf', () => {
  const years = (startYear: string, endYear: string) => ({ startYear: [startYear], endYear: [endYear] });
  const { safetyInfo, ratings } = sampleData;
  const withoutRatings = {
    'Safety Ratings': [],
    'Safety Features': [{ name: 'Antilock brakes', value: 'std' }],
  };

  // rows: B4-MR-01, B4-MR-02, B4-MR-03, B4-MR-04, B4-MR-05
  it.each<[string, boolean, string, FilterValues, Partial<ReferenceData>]>([
    ['pricing', true, 'years alone', {}, { trimsData: [] }],
    ['pricing', true, 'trims alone', {}, { modelYearsData: [] }],
    ['pricing', false, 'neither years nor trims', {}, { modelYearsData: [], trimsData: [] }],
    ['faqs', true, 'one model year', years('2021', '2021'), { usedCount: 0 }],
    ['faqs', false, 'two model years', years('2020', '2021'), { usedCount: 0 }],
    ['faqs', false, 'an open range of years', { startYear: ['2021'] }, { usedCount: 0 }],
    ['faqs', false, 'an unknown number of used results', {}, { usedCount: null }],
    ['faqs', false, 'no questions', {}, { mileage: null, modelInfo: null, modelYearsData: [] }],
    ['safety', true, 'safety ratings', {}, {}],
    ['safety', false, 'a trim', { trimCode: ['F150|XLT'] }, {}],
    ['safety', false, 'features alone', {}, { safetyInfo: { ...safetyInfo!, features: withoutRatings } }],
    ['consumer-reviews', true, 'ratings without safety', {}, { safetyInfo: null }],
    ['consumer-reviews', false, 'reviews without ratings', {}, { ratings: { ...ratings!, ratings: [] } }],
  ])('shows the tab %s: %s, for %s', (tab, isShown, _, filters, changes) => {
    const section = sectionOf(stateOf({ ...F150, ...filters }).search, { ...sampleData, ...changes });
    expect(section?.tabs.map(({ key }) => key).includes(tab)).toBe(isShown);
  });

  // rows: B4-MR-07
  it('shows only the tabs that the editorial content of the search names', () => {
    const editorialContent = {
      tabs: [
        { key: 'overview', label: 'Overview', sections: [] },
        { key: 'history', label: 'History', sections: [] },
      ],
      onlyTabs: ['safety', 'history'],
    };
    const editorial = { editorialContent, editorialReviews: [], makeSummaryData: undefined };
    expect(sectionOf(stateOf(F150, { editorial }).search, sampleData)?.tabs).toEqual([
      { key: 'safety', label: 'Safety' },
      expect.objectContaining({ key: 'history', label: 'History' }),
    ]);
  });
});
