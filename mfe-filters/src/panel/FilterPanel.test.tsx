/** @jest-environment jest-fixed-jsdom */
import { describe, expect, it } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { toApiQuery } from '@forecourt/search/query';
import { searchLoaded, searchStarted } from '@forecourt/search/state';
import { buildFilter, buildFilters } from '../testing/builders.ts';
import { mountSearchSlot, searchState } from '../testing/mountSearchSlot.ts';
import filters from '../slots/filters.tsx';

const section = (label: string): HTMLDetailsElement => {
  const section = screen
    .getAllByText(label)
    .map((element) => element.closest('summary')?.parentElement)
    .find((element) => element instanceof HTMLDetailsElement);
  if (!(section instanceof HTMLDetailsElement)) throw new Error(`no section ${label}`);
  return section;
};

async function openSection(label: string): Promise<HTMLElement> {
  const details = section(label);
  if (!details.open) await userEvent.click(within(details).getByText(label));
  return details;
}

describe('filter panel', () => {
  // rows: A2-UI-01
  it('renders the panel as a form', () => {
    mountSearchSlot(filters);
    expect(screen.getByRole('form', { name: 'Filters' })).toHaveAttribute(
      'action',
      '/cars-for-sale/all-cars',
    );
  });

  // rows: A3-FILTER-06, A3-FILTER-08, A3-FILTER-12, A3-FILTER-14, A3-FILTER-25, A3-FILTER-26, A3-FILTER-28
  // rows: A3-FILTER-29, A3-FILTER-34
  it('labels each section above the controls of its own filter', async () => {
    mountSearchSlot(filters);
    for (const [label, param] of [
      ['Condition', 'listingType'],
      ['Body Style', 'vehicleStyleCode'],
      ['Fuel Economy', 'mpgRange'],
      ['Dealer Home Services', 'homeServices'],
      ['Features', 'featureCode'],
      ['Cylinders', 'engineCode'],
      ['Best Deals', 'dealType'],
      ['Truck Cab Size', 'bodyStyleSubtypeCode'],
    ] as const) {
      const controls = (await openSection(label)).querySelectorAll<HTMLInputElement>('input[name]');
      expect([label, ...new Set([...controls].map(({ name }) => name))]).toEqual([label, param]);
    }
    expect(screen.getByRole('checkbox', { name: /^Money Back Guarantee/ })).toHaveAttribute(
      'name',
      'vehicleExchange',
    );
  });

  it('groups sections by use, with price first and the details of a vehicle last', () => {
    mountSearchSlot(filters);
    const parts = [...screen.getByRole('form').querySelectorAll('h3, summary')];
    const at = (text: string) => parts.findIndex(({ firstChild }) => firstChild?.textContent === text);
    expect(screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
      ...['Price and payment', 'Vehicle', 'Condition and history', 'Seller and services'],
      'Features and details',
    ]);
    const order = [
      'Location',
      'Price and payment',
      'Price',
      'Vehicle',
      'Make, Model, Trim',
      'Body Style',
      'Seats',
    ];
    const places = [...order, 'Condition and history', 'Condition', 'Features and details', 'Doors'].map(at);
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((left, right) => left - right));
  });

  it('has the box of a section that is on or off without a disclosure around it', async () => {
    const { filters: currentFilters } = mountSearchSlot(filters);
    const box = screen.getByRole('checkbox', { name: /^Money Back Guarantee/ });
    expect(box.closest('details')).toBeNull();
    await userEvent.click(box);
    expect(box).toBeChecked();
    expect(currentFilters()).toEqual({ vehicleExchange: ['true'] });
  });

  it('finds seats and the third row in one section', async () => {
    const { filters: currentFilters } = mountSearchSlot(filters, {
      search: { filters: buildFilters([buildFilter('featureCode', [['THIRDROW', 'Third Row Seat', 4100]])]) },
    });
    const seats = within(await openSection('Seats'));
    expect(seats.getAllByRole('checkbox').map((box) => box.closest('label')?.textContent)).toEqual([
      ...['Third row4,100', '5 seats24,000', '7 seats6,100'],
    ]);
    await userEvent.click(seats.getByRole('checkbox', { name: /^Third row/ }));
    await userEvent.click(seats.getByRole('checkbox', { name: /^7 seats/ }));
    expect(currentFilters()).toEqual({ featureCode: ['THIRDROW'], seatCount: ['7'] });
  });

  // rows: A3-FILTER-34
  it('shows the truck cab size while the results contain trucks', () => {
    const { unmount } = mountSearchSlot(filters);
    expect(section('Truck Cab Size')).toBeInTheDocument();
    unmount();
    const noTrucks = buildFilters([buildFilter('bodyStyleSubtypeCode', [['CREWCAB', 'Crew Cab', 0]])]);
    mountSearchSlot(filters, { search: { filters: noTrucks } });
    expect(screen.queryByText('Truck Cab Size')).not.toBeInTheDocument();
  });

  // rows: B4-PANEL-01
  it('expands a section that holds a selected value', () => {
    mountSearchSlot(filters, { criteria: { filters: { vehicleStyleCode: ['TRUCKS'] } } });
    expect(section('Body Style').open).toBe(true);
    expect(within(section('Body Style')).getByRole('checkbox', { name: /^Truck/ })).toBeChecked();
    expect(section('Doors').open).toBe(false);
  });

  it('keeps a section open when its last value is removed', async () => {
    mountSearchSlot(filters, { criteria: { filters: { doorCode: ['DOORS1'] } } });
    const box = within(section('Doors')).getByRole('checkbox', { name: /^Doors 1/ });
    await userEvent.click(box);
    expect(section('Doors').open).toBe(true);
    expect(box).toHaveFocus();
    expect(box).not.toBeChecked();
  });

  // rows: B4-PANEL-02
  it('shows controls in an expanded section as soon as its options exist', async () => {
    const { store } = mountSearchSlot(filters, { search: { filters: [] } });
    const details = await openSection('Transmission');
    expect(within(details).queryAllByRole('checkbox')).toHaveLength(0);
    // A section without content has a skeleton.
    expect(details.querySelector('.content')).toBeNull();
    const { status: _, requestId: __, ...page } = searchState({}).search;
    act(() => {
      store.dispatch(searchStarted({ requestId: 'r2', criteria: page.criteria, url: page.url }));
      store.dispatch(searchLoaded({ requestId: 'r2', page }));
    });
    expect(within(details).getAllByRole('checkbox')).toHaveLength(2);
    // A collapsed section has no controls.
    await userEvent.click(within(details).getByText('Transmission', { selector: 'summary' }));
    expect(details.querySelector('.content')).toBeNull();
  });

  // rows: B4-PANEL-07
  it('searches from the first page on each change and paints the change immediately', async () => {
    const { searches } = mountSearchSlot(filters, { criteria: { firstRecord: 60 } });
    const usedCheckbox = screen.getByRole('checkbox', { name: /^Used/ });
    await userEvent.click(usedCheckbox);
    expect(usedCheckbox).toBeChecked();
    await userEvent.click(screen.getByRole('checkbox', { name: /^Certified/ }));
    expect(
      searches().map(({ filters: currentFilters, firstRecord }) => [currentFilters.listingType, firstRecord]),
    ).toEqual([
      [['USED'], 0],
      [['CERTIFIED', 'USED'], 0],
    ]);
  });

  it('applies all of several quick clicks', async () => {
    const { filters: currentFilters } = mountSearchSlot(filters);
    const boxes = ['New', 'Used', 'Certified'].map((name) =>
      screen.getByRole('checkbox', { name: new RegExp(`^${name}`) }),
    );
    act(() => boxes.forEach((box) => box.click()));
    await waitFor(() => expect(currentFilters().listingType).toEqual(['CERTIFIED', 'NEW', 'USED']));
  });

  it.each([
    ['Fuel Economy', 'radio', /^30\+/, { mpgRange: ['30-MPG'] }],
    ['Electric Mile Range', 'radio', /^200\+/, { electricMileRange: ['200'] }],
    ['Truck Cab Size', 'radio', /^6/, { bodyStyleSubtypeCode: ['CREWCAB', 'CREWMAX'] }],
    ['Truck Bed Length', 'checkbox', /^Short/, { truckBedLength: ['SHORT'] }],
  ] as const)('applies a selected option of %s', async (label, role, name, expected) => {
    const { filters: currentFilters } = mountSearchSlot(filters);
    const details = await openSection(label);
    await userEvent.click(within(details).getByRole(role, { name }));
    expect(currentFilters()).toEqual(expected);
    expect(within(details).getByRole(role, { name })).toBeChecked();
  });

  // rows: A3-FILTER-09, A3-FILTER-11, A3-FILTER-13, A3-FILTER-17, A3-FILTER-20, A3-FILTER-21, A3-FILTER-22
  // rows: A3-FILTER-23, A3-FILTER-24, A3-FILTER-30, A3-FILTER-31, A3-FILTER-32, A3-FILTER-33, A3-FILTER-35
  // rows: A3-FILTER-36, A3-FILTER-37
  it.each([
    ['Drive Type', /^AWD/, 'driveGroup', 'AWD4WD'],
    ['Mileage', /^Under 75,000/, 'mileage', '75000'],
    ['Fuel Type', /^Electric/, 'fuelTypeGroup', 'ELE'],
    ['Series', /^Super Duty/, 'seriesCode', 'SUPERDUTY'],
    ['Exterior Color', /^Blue/, 'extColorSimple', 'BLUE'],
    ['Interior Color', /^Tan/, 'intColorSimple', 'TAN'],
    ['Transmission', /^Transmission 1/, 'transmissionCode', 'TRANSMISSION1'],
    ['Engine Displacement', /^Displacement 3/, 'engineDisplacement', 'DISPLACEMENT3'],
    ['Vehicle History', /^History 1/, 'vehicleHistoryType', 'HISTORY1'],
    ['Doors', /^Doors 2/, 'doorCode', 'DOORS2'],
    ['Seller Type', /^Private/, 'sellerType', 'p'],
    ['Electric Mile Range', /^200\+/, 'electricMileRange', '200'],
    ['Truck Bed Length', /^Long/, 'truckBedLength', 'LONG'],
    ['SUV Type', /^SUV kind 2/, 'suvSubtypeCode', 'SUV KIND2'],
    ['Van Type', /^Van kind 0/, 'vanSubtypeCode', 'VAN KIND0'],
    ['Sedan Type', /^Sedan kind 1/, 'sedanSubtypeCode', 'SEDAN KIND1'],
  ] as const)('sends a selected option of %s in the request', async (label, name, param, value) => {
    const { searches } = mountSearchSlot(filters, {
      criteria: { filters: { makeCode: ['FORD'], modelCode: ['F250'] } },
      search: {
        filters: buildFilters([buildFilter('seriesCode', [['SUPERDUTY', 'Super Duty', 12]])]),
      },
    });
    const details = await openSection(label);
    const [choice] = within(details).getAllByLabelText(name);
    await userEvent.click(choice!);
    const request = toApiQuery(searches()[0]!, { brand: 'atc' });
    expect(request.get(param)).toBe(value);
    expect(choice).toBeChecked();
  });

  it('clears a radio selection with Any', async () => {
    const { filters: currentFilters } = mountSearchSlot(filters, {
      criteria: { filters: { mileage: ['75000'] } },
    });
    await userEvent.click(within(section('Mileage')).getByRole('radio', { name: 'Any' }));
    expect(currentFilters()).toEqual({});
  });

  it('disables an option without results in place', async () => {
    mountSearchSlot(filters);
    const details = await openSection('Body Style');
    const names = within(details)
      .getAllByRole('checkbox')
      .map((box) => box.getAttribute('value'));
    expect(names.indexOf('CONVERT')).toBe(6);
    expect(within(details).getByRole('checkbox', { name: /^Convertible/ })).toBeDisabled();
  });

  // rows: A3-FILTER-27
  it('shows features under group headings and finds them by name', async () => {
    const drives = buildFilter('driveGroup', [['AWD4WD', 'AWD/4WD', 21_000, 'Four wheels']]);
    mountSearchSlot(filters, { search: { filters: buildFilters([drives]) } });
    const details = await openSection('Features');
    const search = within(details).getByRole('searchbox', { name: 'Search Features' });
    // A search lists all matches even while the list is collapsed.
    await userEvent.type(search, 'feature 1');
    expect(within(details).getAllByRole('checkbox')).toHaveLength(11);
    await userEvent.clear(search);
    await userEvent.click(within(details).getByRole('button', { name: /^Show all 30/ }));
    for (const heading of ['Comfort', 'Safety']) {
      const group = within(within(details).getByRole('group', { name: heading }));
      expect(group.getByText(heading)).toBeVisible();
      expect(group.getAllByRole('checkbox')).toHaveLength(15);
    }
    await userEvent.type(search, 'feature 29');
    expect(within(details).getAllByRole('checkbox')).toHaveLength(1);
    // Groups of options in the response are shown only where the catalog says so.
    const driveTypes = await openSection('Drive Type');
    expect(within(driveTypes).getByRole('checkbox')).toBeInTheDocument();
    expect(within(driveTypes).queryByRole('group', { name: 'Four wheels' })).not.toBeInTheDocument();
  });

  it('shows eleven options at once and collapses twelve to eight', async () => {
    const numbered = (name: string, count: number) =>
      buildFilter(
        name,
        Array.from({ length: count }, (_, index) => [`D${index}`, `Choice ${index}`, 9]),
      );
    mountSearchSlot(filters, {
      search: { filters: buildFilters([numbered('doorCode', 11), numbered('engineCode', 12)]) },
    });
    expect(within(await openSection('Doors')).getAllByRole('checkbox')).toHaveLength(11);
    expect(within(await openSection('Cylinders')).getAllByRole('checkbox')).toHaveLength(8);
  });

  // rows: B3-OPTION-01
  it('shows the count and the description of an option, and disables one that the response disables', async () => {
    const fuels = buildFilter('fuelTypeGroup', [
      ['ELE', 'Electric', 4],
      ['HYD', 'Hydrogen', 9],
    ]);
    fuels.options[0]!.moreInfo = 'Runs on a battery alone.';
    fuels.options[1]!.disabled = true;
    mountSearchSlot(filters, {
      criteria: { filters: { fuelTypeGroup: ['ELE'] } },
      search: { filters: buildFilters([fuels]) },
    });
    const option = (name: RegExp) => screen.getByRole('checkbox', { name });
    expect(option(/^Electric\s*4$/)).toBeEnabled();
    expect(option(/^Electric/)).toHaveAttribute('value', 'ELE');
    expect(option(/^Hydrogen\s*9$/)).toBeDisabled();
    const info = screen.getByLabelText('About Electric');
    await userEvent.click(info);
    expect(screen.getByText('Runs on a battery alone.')).toBeVisible();
  });

  // rows: B5-FILTER-01, B5-FILTER-02
  it.each([
    ['only electric is selected', { criteria: { filters: { fuelTypeGroup: ['ELE'] } } }],
    [
      'none of its options has results',
      { search: { filters: buildFilters([buildFilter('mpgRange', [['20-MPG', '20+ MPG', 0]])]) } },
    ],
  ])('disables fuel economy when %s', async (_, options) => {
    mountSearchSlot(filters, options);
    const details = await openSection('Fuel Economy');
    for (const radio of within(details).getAllByRole('radio')) expect(radio).toBeDisabled();
  });
});
