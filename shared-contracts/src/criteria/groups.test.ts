import { describe, expect, it } from '@jest/globals';
import { decodeQuery, limitGroups } from './decode.ts';
import { EMPTY_SLUG_REFERENCE } from './slugs.ts';
import { testReference } from '../testing/builders.ts';

describe('groups of make, model and trim', () => {
  const given = (query: string) => decodeQuery(query).filters;
  const single = (query: string, reference = testReference) => limitGroups(given(query), reference, 'oem');

  it('keep all trims as given while there is no reference', () => {
    const filters = given('makeCode=FORD&modelCode=F150&trimCodeList=F150|XLT,ESCAPE|SE');
    expect(filters.trimCode).toEqual(['F150|XLT', 'ESCAPE|SE']);
    expect(limitGroups(filters, testReference, 'atc').trimCode).toEqual(['F150|XLT']);
  });

  // rows: B4-PANEL-11
  it('are one on the manufacturer brand: the first make, its model and the trim of that', () => {
    const query = 'makeCodeList=BMW,FORD&modelCodeList=F150,BMW3&trimCodeList=F150|XLT,BMW3|330I';
    expect(single(query)).toEqual({ makeCode: ['BMW'], modelCode: ['BMW3'], trimCode: ['BMW3|330I'] });
    expect(single('makeCodeList=BMW,FORD&modelCode=F150&trimCode=F150|XLT')).toEqual({ makeCode: ['BMW'] });
  });

  it('take a model that nobody knows only where none is known to be of the make', () => {
    expect(single('makeCode=FORD&modelCodeList=LATER,F150').modelCode).toEqual(['F150']);
    expect(single('makeCode=FORD&modelCodeList=BMW3,LATER').modelCode).toEqual(['LATER']);
  });

  it('are the first ones that fit together while there is no reference', () => {
    const query = 'makeCodeList=BMW,FORD&modelCodeList=F150,BMW3&trimCodeList=BMW3|330I,F150|XLT';
    expect(single(query, EMPTY_SLUG_REFERENCE)).toEqual({
      makeCode: ['BMW'],
      modelCode: ['F150'],
      trimCode: ['F150|XLT'],
    });
    expect(single('trimCodeList=BMW3|330I,F150|XLT')).toEqual({ trimCode: ['BMW3|330I'] });
  });
});
