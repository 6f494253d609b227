/** @jest-environment jest-fixed-jsdom */
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { FLAGS } from '@forecourt/search/brands';
import { buildListing } from '@forecourt/search/testing';
import { card, listings, mountResults, openMenus } from '../testing/mountResults.ts';
import { prepareViewport } from '../testing/viewport.ts';
import { comparedVehicle } from './comparedVehicle.ts';
import { CompareStore } from './compareStore.ts';

beforeEach(prepareViewport);

describe('compare', () => {
  /** Buttons of the cards, whose menus a press elsewhere closes. */
  const names = async (pattern: RegExp) => {
    await openMenus();
    return screen.queryAllByRole('button', { name: pattern });
  };
  const add = async (title: string) => {
    await openMenus();
    await userEvent.click(screen.getByRole('button', { name: `Compare ${title}` }));
  };
  const mountReady = async (count: number, from = 1) => {
    const shell = mountResults({ listings: listings(from, count) });
    await shell.waitForLateParts();
    await openMenus();
    return shell;
  };
  const drawer = () => within(screen.getByRole('complementary', { name: 'Compare vehicles' }));

  // rows: A4-COMPARE-01, A4-COMPARE-02, A2-UI-03
  it("turns Compare into 'Added to Compare' and opens the drawer with placeholders", async () => {
    const { payloads } = await mountReady(3);
    expect(screen.queryByRole('complementary')).toBeNull();
    await add('Vehicle 2');
    await openMenus();
    expect(card('Vehicle 2').getByRole('button', { name: /^Added to Compare/ })).toBeVisible();
    expect(drawer().getByText('Vehicle 2')).toBeVisible();
    expect(drawer().getAllByText('Add a vehicle')).toHaveLength(4);
    await openMenus();
    await userEvent.click(card('Vehicle 2').getByRole('button', { name: /^Added to Compare/ }));
    expect(payloads('page.announced')).toEqual([
      { message: 'Added to compare, 1 of 5 vehicles' },
      { message: 'Removed from compare, 0 of 5 vehicles' },
    ]);
  });

  // rows: A1-SCOPE-06
  it('shows two added vehicles in the drawer', async () => {
    await mountReady(3);
    await add('Vehicle 1');
    await add('Vehicle 3');
    expect(drawer().getByText('Vehicle 1')).toBeVisible();
    expect(drawer().getByText('Vehicle 3')).toBeVisible();
  });

  // rows: A4-COMPARE-03, A9-LIMIT-02, B9-PAGE-07
  it('offers Compare with four vehicles but not with five; added vehicles stay removable', async () => {
    const { payloads } = await mountReady(7);
    const hint = () => screen.queryByText('Remove a vehicle to choose another one.');
    for (const number of [1, 2, 3, 4]) await add(`Vehicle ${number}`);
    expect(await names(/^Compare Vehicle/)).toHaveLength(3);
    expect(hint()).toBeNull();
    await add('Vehicle 5');
    expect(hint()).toBeVisible();
    expect(payloads('page.announced').at(-1)).toEqual({
      message: 'Added to compare, 5 of 5 vehicles. Remove a vehicle to choose another one',
    });
    expect(await names(/^Compare Vehicle/)).toHaveLength(0);
    expect(await names(/^Added to Compare/)).toHaveLength(5);
    await userEvent.click(drawer().getByRole('button', { name: /^Compare 5 of 5/ }));
    expect(hint()).toBeNull();
    await openMenus();
    await userEvent.click(card('Vehicle 5').getByRole('button', { name: /^Added to Compare/ }));
    expect(await names(/^Compare Vehicle/)).toHaveLength(3);
  });

  // rows: B2-MODAL-01, B2-ROUTE-04
  it('opens the comparison of the added vehicles once there are two', async () => {
    const third = { pricingDetail: { derivedPrice: 9_000 }, mileage: { value: 50 }, doors: 2 };
    const compared = [...listings(1, 2), buildListing({ id: '3', title: 'Vehicle 3', ...third })];
    await mountResults({ listings: compared }).waitForLateParts();
    await add('Vehicle 1');
    const open = drawer().getByRole('button', { name: 'Compare now' });
    expect(open).toBeDisabled();
    await add('Vehicle 3');
    await userEvent.click(open);
    const dialog = within(await screen.findByRole('dialog', { name: 'Compare vehicles' }));
    const heads = dialog.getAllByRole('columnheader').map((head) => within(head).getByRole('link'));
    expect(heads.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['Vehicle 1', '/cars-for-sale/vehicle/1?clickType=compare'],
      ['Vehicle 3', '/cars-for-sale/vehicle/3?clickType=compare'],
    ]);
    const [, ...rows] = dialog.getAllByRole('row') as HTMLTableRowElement[];
    expect(rows.map(({ cells }) => [...cells].map(({ textContent }) => textContent))).toEqual([
      ['Price', '$32,995', '$9,000'],
      ['Mileage', '31,250 mi', '50 mi'],
      ['Economy', '21 mpg', '21 mpg'],
      ['Drive', 'AWD/4WD', 'AWD/4WD'],
      ['Engine', '3.5L V6', '3.5L V6'],
      ['Doors', '4', '2'],
      ['Colors', 'Blue exterior, gray interior', 'Blue exterior, gray interior'],
      ['Seller', 'Lakeside Ford', 'Lakeside Ford'],
      ['Distance', '12 mi away', '12 mi away'],
    ]);
  });

  it('links the comparison to a page of its own that can be shared', async () => {
    await mountReady(2);
    await add('Vehicle 1');
    await add('Vehicle 2');
    await userEvent.click(drawer().getByRole('button', { name: 'Compare now' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Compare vehicles' }));
    expect(dialog.getByRole('link', { name: 'Full comparison' })).toHaveAttribute(
      'href',
      '/cars-for-sale/compare?listingIds=1,2',
    );
  });

  it('restores the compared vehicles after a reload', async () => {
    const first = await mountReady(2);
    await add('Vehicle 1');
    first.unmount();
    await mountReady(2, 5);
    expect(drawer().getByText('Vehicle 1')).toBeVisible();
  });

  // rows: A4-COMPARE-02
  it('keeps the drawer folded after a reload until a vehicle is added', async () => {
    const toggle = () => drawer().getByRole('button', { name: /^Compare \d of 5/ });
    const first = await mountReady(2);
    await add('Vehicle 1');
    await userEvent.click(toggle());
    first.unmount();
    await mountReady(2, 2);
    expect(toggle()).toHaveAttribute('aria-expanded', 'false');
    expect(drawer().getByText('Vehicle 1')).not.toBeVisible();
    await add('Vehicle 2');
    expect(toggle()).toHaveAttribute('aria-expanded', 'true');
    expect(drawer().getByText('Vehicle 1')).toBeVisible();
  });

  // rows: A9-LIMIT-02
  it('restores five vehicles and accepts no sixth', async () => {
    const stored = [1, 2, 3, 4, 5, 6].map((id) => ({
      id: `${id}`,
      title: `Seen ${id}`,
      href: '/',
      rows: {},
    }));
    sessionStorage.setItem('compare', JSON.stringify(stored));
    await mountReady(1, 9);
    expect(drawer().getByRole('button', { name: /^Compare 5 of 5/ })).toBeVisible();
    expect(drawer().queryByText('Seen 6')).toBeNull();
    const store = new CompareStore();
    for (const id of ['1', '2', '3', '4', '5', '6'])
      store.add(comparedVehicle(buildListing({ id }), undefined));
    expect(store.all().map(({ id }) => id)).toEqual(['1', '2', '3', '4', '5']);
  });

  it('ignores invalid stored vehicles', async () => {
    sessionStorage.setItem('compare', '[{"id":1},{"id":"2","title":"x","href":"javascript:x","rows":{}}]');
    await mountResults().waitForLateParts();
    expect(screen.queryByRole('complementary')).toBeNull();
  });

  // rows: B6-FLAG-01
  it('renders no comparison while its flag is off, even of vehicles added before', async () => {
    const first = await mountReady(2);
    await add('Vehicle 1');
    first.unmount();
    await mountResults({}, { flags: { ...FLAGS, compare: false } }).waitForLateParts();
    expect(await names(/Compare/)).toHaveLength(0);
    expect(screen.queryByRole('complementary', { name: 'Compare vehicles' })).toBeNull();
  });

  it('marks rows that differ and can hide the others', async () => {
    const [first, second] = [
      buildListing({ id: '1', title: 'Vehicle 1' }),
      buildListing({ id: '2', title: 'Vehicle 2', mileage: { value: 9 }, doors: 2 }),
    ];
    await mountResults({ listings: [first, second] }).waitForLateParts();
    await add('Vehicle 1');
    await add('Vehicle 2');
    await userEvent.click(drawer().getByRole('button', { name: 'Compare now' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Compare vehicles' }));
    await userEvent.click(dialog.getByRole('checkbox', { name: 'Show differences only' }));
    expect(dialog.getAllByRole('rowheader').map(({ textContent }) => textContent)).toEqual([
      'Mileage',
      'Doors',
    ]);
  });

  describe('keyboard focus in the comparison', () => {
    const press = async (button: HTMLElement) => {
      button.focus();
      await userEvent.keyboard('{Enter}');
    };
    const removal = (title: string, within = drawer()) =>
      within.getByRole('button', { name: `Remove ${title}` });

    it("moves the focus in the drawer to the next remove button, the previous one, and then the card's Compare button", async () => {
      await mountReady(3);
      for (const number of [1, 2, 3]) await add(`Vehicle ${number}`);
      await press(removal('Vehicle 2'));
      expect(removal('Vehicle 3')).toHaveFocus();
      await press(removal('Vehicle 3'));
      expect(removal('Vehicle 1')).toHaveFocus();
      await press(removal('Vehicle 1'));
      // Its menu, which holds the button, is closed.
      expect(document.querySelector('[data-listing="1"] summary')).toHaveFocus();
    });

    it('moves the focus to the results heading when the drawer closes and the card is not on the page', async () => {
      const heading = () => screen.getByRole('heading', { name: /Matches$/ });
      const first = await mountReady(2);
      await add('Vehicle 1');
      first.unmount();
      const second = await mountReady(2, 5);
      await press(removal('Vehicle 1'));
      expect(heading()).toHaveFocus();
      second.unmount();
      await mountReady(2);
      await add('Vehicle 1');
      await press(drawer().getByRole('button', { name: 'Clear all' }));
      expect(heading()).toHaveFocus();
    });

    // rows: B2-MODAL-01
    it('moves the focus in the dialog to the next remove button, and to the drawer when too few vehicles are left', async () => {
      await mountReady(3);
      for (const number of [1, 2, 3]) await add(`Vehicle ${number}`);
      await press(drawer().getByRole('button', { name: 'Compare now' }));
      const dialog = within(await screen.findByRole('dialog', { name: 'Compare vehicles' }));
      await press(removal('Vehicle 1', dialog));
      expect(removal('Vehicle 2', dialog)).toHaveFocus();
      const focus = jest.spyOn(HTMLElement.prototype, 'focus');
      await press(removal('Vehicle 2', dialog));
      expect(screen.queryByRole('dialog')).toBeNull();
      expect(drawer().getByRole('button', { name: /^Compare 1 of 5/ })).toHaveFocus();
      expect(focus).toHaveBeenLastCalledWith({ preventScroll: true });
      focus.mockRestore();
    });
  });

  it('reserves scroll space for the drawer', async () => {
    const { payloads } = await mountReady(2);
    jest.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(148);
    await add('Vehicle 1');
    expect(payloads('page.bottomCovered')).toEqual([{ by: 'results', height: 148 }]);
    expect(document.body.style.paddingBlockEnd).toBe('148px');
    jest.restoreAllMocks();
  });
});
