import { describe, expect, it } from '@jest/globals';
import type { FilterValues, SearchCriteria } from '@forecourt/search/criteria';
import { buildState } from '@forecourt/search/testing';
import { expectedTexts } from './expectedTexts.ts';

const option = (value: string, label: string) => ({ value, label, selected: false, disabled: false });
const filters = [
  {
    name: 'makeCode',
    label: 'Make',
    collapsed: true,
    value: '',
    options: [option('FORD', 'Ford'), option('KIA', 'Kia')],
  },
  { name: 'modelCode', label: 'Model', collapsed: true, value: '', options: [option('F150', 'F-150')] },
];
const withFilters = (values: FilterValues): SearchCriteria => ({
  ...buildState().search.criteria,
  filters: values,
});
const before = buildState({
  filters,
  criteria: withFilters({ zip: ['60601'], makeCode: ['FORD'], modelCode: ['F150'] }),
  breadcrumbs: [{ key: 'location', label: 'Chicago, IL', href: '/' }],
  texts: {
    heading: 'Ford F-150 Cars for Sale in Chicago, IL',
    title: 't',
    description: 'd',
    canonicalUrl: '/',
  },
});
const headingOf = (values: FilterValues) => expectedTexts(before, withFilters(values))?.heading;

describe('expectedTexts', () => {
  it('returns the heading of the changed search from known labels', () => {
    expect(headingOf({ zip: ['60601'], makeCode: ['KIA'], listingType: ['USED'] })).toBe(
      'Used Kia Cars for Sale in Chicago, IL',
    );
    expect(headingOf({ zip: ['60601'], makeCode: ['FORD'] })).toBe('Ford Cars for Sale in Chicago, IL');
  });

  it('omits the place when the search has none', () => {
    expect(headingOf({ makeCode: ['FORD'] })).toBe('Ford Cars for Sale');
  });

  it('keeps all texts but the heading', () => {
    expect(expectedTexts(before, withFilters({}))).toEqual({
      ...before.search.texts,
      heading: 'Cars for Sale',
    });
  });

  it('returns undefined for a place or make without a known label', () => {
    expect(headingOf({ zip: ['10001'], makeCode: ['FORD'] })).toBeUndefined();
    expect(headingOf({ zip: ['60601'], makeCode: ['TESLA'] })).toBeUndefined();
  });
});
