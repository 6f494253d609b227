import { describe, expect, it } from '@jest/globals';
import { decodeQuery, limitGroups } from './decode.ts';
import { EMPTY_SLUG_REFERENCE } from './slugs.ts';
import { testReference } from '../testing/builders.ts';

describe('make, model and trim groups', () => {
  const filtersOf = (query: string) => decodeQuery(query).filters;
  const single = (query: string, reference = testReference) =>
    limitGroups(filtersOf(query), reference, 'oem');

  it('keeps all trims unchanged without a reference', () => {
    const filters = filtersOf('makeCode=FORD&modelCode=F150&trimCodeList=F150|XLT,ESCAPE|SE');
    expect(filters.trimCode).toEqual(['F150|XLT', 'ESCAPE|SE']);
    expect(limitGroups(filters, testReference, 'atc').trimCode).toEqual(['F150|XLT']);
  });

  // rows: B4-PANEL-11
  it("keeps the first make, its model and that model's trim on the manufacturer brand", () => {
    const query = 'makeCodeList=BMW,FORD&modelCodeList=F150,BMW3&trimCodeList=F150|XLT,BMW3|330I';
    expect(single(query)).toEqual({ makeCode: ['BMW'], modelCode: ['BMW3'], trimCode: ['BMW3|330I'] });
    expect(single('makeCodeList=BMW,FORD&modelCode=F150&trimCode=F150|XLT')).toEqual({ makeCode: ['BMW'] });
  });

  it('keeps a model of unknown make only when no known model belongs to the make', () => {
    expect(single('makeCode=FORD&modelCodeList=LATER,F150').modelCode).toEqual(['F150']);
    expect(single('makeCode=FORD&modelCodeList=BMW3,LATER').modelCode).toEqual(['LATER']);
  });

  it('keeps the first make, model and trim that fit together without a reference', () => {
    const query = 'makeCodeList=BMW,FORD&modelCodeList=F150,BMW3&trimCodeList=BMW3|330I,F150|XLT';
    expect(single(query, EMPTY_SLUG_REFERENCE)).toEqual({
      makeCode: ['BMW'],
      modelCode: ['F150'],
      trimCode: ['F150|XLT'],
    });
    expect(single('trimCodeList=BMW3|330I,F150|XLT')).toEqual({ trimCode: ['BMW3|330I'] });
  });
});
