/** @jest-environment jest-fixed-jsdom */
import { describe, expect, it, jest } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { toApiQuery } from '@forecourt/search/query';
import { buildFilter, buildFilters } from '../testing/builders.ts';
import { mountSearchSlot } from '../testing/mountSearchSlot.ts';
import filters from '../slots/filters.tsx';

const XLT = { makeCode: ['FORD'], modelCode: ['F150'], trimCode: ['F150|XLT'] };
const TWO = {
  results: {
    packageNames: [
      { name: 'Tow Package', code: 'TOW' },
      { name: 'Sport Package', code: 'SPORT' },
    ],
  },
};
const mount = (packages: () => unknown) => {
  const requestPackages = jest.fn(packages);
  return {
    requestPackages,
    ...mountSearchSlot(filters, {
      criteria: { filters: XLT },
      search: { filters: buildFilters([buildFilter('packages', [['SPORT', 'SPORT', 41]])]) },
      calls: { packages: requestPackages },
    }),
  };
};
const open = async () => {
  const summary = screen.getByText('Packages');
  await userEvent.click(summary);
  return within(summary.closest('details')!);
};

describe('packages', () => {
  // rows: A7-PACK-01
  it('requests packages by make, model and trim when the section opens', async () => {
    const { requestPackages } = mount(() => TWO);
    expect(requestPackages).not.toHaveBeenCalled();
    await open();
    expect(requestPackages).toHaveBeenCalledTimes(1);
    expect(requestPackages.mock.calls[0]).toEqual([
      { makeCode: 'FORD', modelCode: 'F150', trimCode: 'F150|XLT' },
      undefined,
    ]);
  });

  // rows: A7-PACK-02, A3-FILTER-19
  it('lists packages by name with the counts of the search', async () => {
    const { searches } = mount(() => TWO);
    const section = await open();
    const boxes = await section.findAllByRole('checkbox');
    expect(boxes.map((box) => [box.getAttribute('value'), box.closest('label')?.textContent])).toEqual([
      ['TOW', 'Tow Package'],
      ['SPORT', 'Sport Package41'],
    ]);
    await userEvent.click(boxes[0]!);
    expect(toApiQuery(searches()[0]!, { brand: 'atc' }).get('packages')).toBe('TOW');
  });

  // rows: A8-ERR-04
  it.each(['Request timed out', 'Circuit Breaker for /searchoptions/packages is open'])(
    'shows the error message of the packages call: %s',
    async (error) => {
      let response: unknown = { error };
      mount(() => response);
      const section = await open();
      expect(await section.findByRole('alert')).toHaveTextContent(error);
      response = TWO;
      await userEvent.click(section.getByRole('button', { name: 'Try Again' }));
      expect(await section.findByRole('checkbox', { name: 'Tow Package' })).toBeInTheDocument();
      expect(section.queryByRole('alert')).not.toBeInTheDocument();
    },
  );
});
