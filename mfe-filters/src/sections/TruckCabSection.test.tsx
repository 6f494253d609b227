/** @jest-environment jest-fixed-jsdom */
import { describe, expect, it } from '@jest/globals';
import { toApiQuery } from '@forecourt/search/query';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import fc from 'fast-check';
import { buildFilters } from '../testing/builders.ts';
import filters from '../slots/filters.tsx';
import { mountSearchSlot } from '../testing/mountSearchSlot.ts';
import { CAB_OPTIONS, cabCount, cabOf } from './TruckCabSection.tsx';

const filter = buildFilters().find(({ name }) => name === 'bodyStyleSubtypeCode');

describe('truck cab options', () => {
  it('selects the picked one of two equal options, and the first after a reload', () => {
    expect(cabOf(['CREWMAX', 'CREWCAB'])?.label).toBe('5 (crew cab)');
    expect(cabOf(['CREWCAB', 'CREWMAX'], '6 (crew cab)')?.label).toBe('6 (crew cab)');
    expect(cabOf([], '6 (crew cab)')?.label).toBe('Any');
  });

  it('returns undefined for a combination of codes that is no option', () => {
    fc.assert(
      fc.property(fc.subarray(['REGCAB', 'EXTCAB', 'CREWCAB', 'CREWMAX', 'OTHER']), (codes) => {
        const cab = cabOf(codes);
        expect(cab === undefined || new Set([...cab.codes, ...codes]).size === codes.length).toBe(true);
      }),
    );
  });

  it('adds up the counts of all codes of an option', () => {
    expect(cabCount(CAB_OPTIONS[3]!, filter)).toBe(6500);
    expect(cabCount(CAB_OPTIONS[0]!, filter)).toBeUndefined();
    expect(cabCount(CAB_OPTIONS[3]!, undefined)).toBeUndefined();
  });
});

async function openCabs() {
  const mounted = mountSearchSlot(filters);
  await userEvent.click(screen.getByText('Truck Cab Size', { selector: 'summary' }));
  const cabs = within(screen.getByRole('group', { name: 'Truck Cab Size' }));
  /** Codes in the last request. */
  const lastCodes = () => {
    const search = mounted.searches().at(-1);
    return search && toApiQuery(search, { brand: 'atc' }).get('bodyStyleSubtypeCode');
  };
  return { cabs, sent: lastCodes };
}

describe('truck cab size', () => {
  // rows: B5-CAB-01
  it('offers the cab sizes Any, 3 or less, 4, 5 and 6 in this order, with their names', async () => {
    const { cabs } = await openCabs();
    const labels = cabs.getAllByRole('radio').map((radio) => radio.closest('label')?.childNodes[1]);
    expect(labels.map((label) => label?.textContent)).toEqual([
      'Any',
      '3 or less (regular cab)',
      '4 (extended cab)',
      '5 (crew cab)',
      '6 (crew cab)',
    ]);
  });

  it.each([
    [/^3 or less/, 'REGCAB'],
    [/^4/, 'EXTCAB'],
  ])('sends the code of the cab size %s', async (name, code) => {
    const { cabs, sent } = await openCabs();
    await userEvent.click(cabs.getByRole('radio', { name }));
    expect(sent()).toBe(code);
  });

  // rows: B5-CAB-02
  it('sends the same crew-cab codes for 5 and for 6', async () => {
    const { cabs, sent } = await openCabs();
    await userEvent.click(cabs.getByRole('radio', { name: /^5/ }));
    expect(sent()).toBe('CREWCAB,CREWMAX');
    expect(cabs.getByRole('radio', { name: /^5/ })).toBeChecked();
    await userEvent.click(cabs.getByRole('radio', { name: /^Any/ }));
    expect(sent()).toBeNull();
    await userEvent.click(cabs.getByRole('radio', { name: /^6/ }));
    expect(sent()).toBe('CREWCAB,CREWMAX');
    expect(cabs.getByRole('radio', { name: /^6/ })).toBeChecked();
  });
});
