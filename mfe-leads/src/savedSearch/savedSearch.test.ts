import { storedSearchUrl } from '@forecourt/search/url';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { buildChip, buildState } from '@forecourt/search/testing';
import { bookmarkOf, searchTitle, decideSaveSearch, isAutoSaved } from './savedSearch.ts';

describe('searchTitle', () => {
  const texts = (heading: string) => ({
    texts: { heading, title: '', description: '', canonicalUrl: '' },
    chips: [],
  });
  it("titles a search by its heading without 'cars for sale'", () => {
    expect(searchTitle(texts('Used Ford F-150 Cars for Sale in Atlanta, GA'))).toBe(
      'Used Ford F-150 in Atlanta, GA',
    );
    expect(searchTitle(texts('Cars for Sale in Atlanta, GA'))).toBe('Cars in Atlanta, GA');
    expect(searchTitle(texts('Cars for Sale'))).toBe('All cars');
  });

  // rows: A1-CERT-02
  it("keeps the case of the manufacturer brand's heading", () => {
    expect(searchTitle(texts('used FORD cars for sale near Atlanta, GA'))).toBe('used FORD near Atlanta, GA');
    expect(searchTitle(texts('cars for sale near Atlanta, GA'))).toBe('cars near Atlanta, GA');
  });

  const chip = (label: string) => buildChip('extColorSimple', label, label);
  const titled = (heading: string, ...labels: readonly string[]) =>
    searchTitle({ ...texts(heading), chips: labels.map((label) => chip(label)) });

  it('adds the filters that the heading does not name, so that two searches have two names', () => {
    expect(titled('Ford F-150 Cars for Sale', 'Ford', 'F-150', 'Red', 'Under $30,000')).toBe(
      'Ford F-150 · Red · Under $30,000',
    );
    const place = { ...chip('Within 50 miles of Atlanta, GA'), kind: 'location' as const };
    expect(searchTitle({ ...texts('Cars for Sale in Atlanta, GA'), chips: [place] })).toBe(
      'Cars in Atlanta, GA',
    );
  });

  it('names a search that has only a place by the place, within 80 characters', () => {
    const place = { ...chip(`Within 50 miles of ${'A'.repeat(100)}`), kind: 'location' as const };
    expect(searchTitle({ ...texts(''), chips: [place] })).toMatch(/^Within 50 miles of A{60}…$/);
  });

  it("counts what doesn't fit into 80 characters", () => {
    const colors = Array.from({ length: 20 }, (_, at) => `Exterior color ${at}`);
    const title = titled('Used Ford F-150 Cars for Sale in Atlanta, GA', ...colors);
    expect(title).toMatch(/ · Exterior color 1 · \+ 18 more$/);
  });

  it('limits a search title to 80 characters', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 500 }), fc.array(fc.string()), (heading, labels) => {
        const title = titled(heading, ...labels);
        expect(title.length).toBeGreaterThan(0);
        expect(title.length).toBeLessThanOrEqual(80);
      }),
      { examples: [['', ['']]] },
    );
  });
});

it('stores the criteria of a search in its bookmark', () => {
  const criteria = { ...buildState().search.criteria, filters: { makeCode: ['FORD'], zip: ['60601'] } };
  const { searchResultsURL } = bookmarkOf({ ...buildState().search, criteria }, new Date());
  expect(storedSearchUrl(searchResultsURL)).toBe('/cars-for-sale/all-cars?makeCode=FORD&zip=60601');
});

// rows: A3-BOOKMARK-02
it('dates a bookmark in UTC with an unpadded day', () => {
  const dated = (time: string) => bookmarkOf(buildState().search, new Date(time)).lastExecuted;
  expect(dated('2024-03-05T14:07:09Z')).toBe('2024/03/5 14:07:09');
  expect(dated('2024-11-25T03:00:00Z')).toBe('2024/11/25 03:00:00');
});

describe('decideSaveSearch', () => {
  const signedOut = {
    signedIn: false,
    hasSubscribeAlerts: false,
    isSubscribed: false,
    isInlineCaptureShown: false,
  };
  // rows: A4-SAVE-01, A4-SAVE-02, A4-SAVE-03
  it.each([
    [{ hasSubscribeAlerts: true }, 'emailAlerts'],
    [{}, 'inlineCapture'],
    [{ isSubscribed: true }, 'signIn'],
    [{ isInlineCaptureShown: true }, 'signIn'],
    [{ signedIn: true, hasSubscribeAlerts: true }, 'save'],
    [{ signedIn: true }, 'save'],
  ])('decides about saving a search for %j: %s', (situation, decision) => {
    expect(decideSaveSearch({ ...signedOut, ...situation })).toBe(decision);
  });

  // rows: B6-SAVE-01, B6-SAVE-02
  it.each([
    [false, undefined, true],
    [false, 'Title', false],
    [true, undefined, false],
    [true, 'Title', false],
  ])(
    'decides for signed in %s and title %s whether the search is auto-saved: %s',
    (signedIn, title, auto) => {
      expect(isAutoSaved({ signedIn, title })).toBe(auto);
    },
  );
});
