/** @jest-environment jest-fixed-jsdom */
import { describe, expect, it } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { toApiQuery } from '@forecourt/shared-contracts/query';
import filters from '../slots/filters.tsx';
import { mountSearchSlot } from '../testing/mountSearchSlot.ts';

async function openCabs() {
  const mounted = mountSearchSlot(filters);
  await userEvent.click(screen.getByText('Truck Cab Size', { selector: 'summary *' }));
  const cabs = within(screen.getByRole('group', { name: 'Truck Cab Size' }));
  /** The codes which the last request sends. */
  const sent = () => {
    const search = mounted.searches().at(-1);
    return search && toApiQuery(search, { brand: 'atc' }).get('bodyStyleSubtypeCode');
  };
  return { cabs, sent };
}

describe('the truck cab size', () => {
  // rows: B5-CAB-01
  it('offers Any, 3 or less, 4, 5 and 6 in this order', async () => {
    const { cabs } = await openCabs();
    const labels = cabs.getAllByRole('radio').map((radio) => radio.closest('label')?.querySelector('.label'));
    expect(labels.map((label) => label?.textContent)).toEqual(['Any', '3 or less', '4', '5', '6']);
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
