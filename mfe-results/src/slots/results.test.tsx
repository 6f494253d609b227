/** @jest-environment jest-fixed-jsdom */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { CallParams } from '@forecourt/shared-contracts/calls';
import { FLAGS } from '@forecourt/shared-contracts/brands';
import { SORT_OPTIONS } from '@forecourt/shared-contracts/search';
import type { SlotEnvironment } from '@forecourt/shared-contracts/slots';
import { mountSlot } from '@forecourt/shared-contracts/slots/browser';
import { renderSlot } from '@forecourt/shared-contracts/slots/server';
import {
  createStore,
  moreLoaded,
  moreStarted,
  searchStarted,
  type SearchState,
} from '@forecourt/shared-contracts/store';
import { buildListing, buildOwner, buildState, mountInTestShell } from '@forecourt/shared-contracts/testing';
import module from './results.tsx';

/** jsdom has no layout: a test says what comes into view. */
class Observer {
  static all: Observer[] = [];
  readonly elements = new Set<Element>();
  readonly options: IntersectionObserverInit;
  private readonly receive: IntersectionObserverCallback;
  constructor(receive: IntersectionObserverCallback, options: IntersectionObserverInit = {}) {
    this.receive = receive;
    this.options = options;
    Observer.all.push(this);
  }
  observe(element: Element) {
    this.elements.add(element);
  }
  unobserve(element: Element) {
    this.elements.delete(element);
  }
  disconnect() {
    this.elements.clear();
  }
  show(element: Element) {
    if (!this.elements.has(element)) return;
    const entry = { target: element, isIntersecting: true } as unknown as IntersectionObserverEntry;
    this.receive([entry], this as unknown as IntersectionObserver);
  }
}
const scrollTo = (element: Element) => act(() => Observer.all.forEach((observer) => observer.show(element)));

beforeEach(() => {
  Observer.all = [];
  Object.assign(globalThis, { IntersectionObserver: Observer });
  sessionStorage.clear();
});
afterEach(() => {
  jest.useRealTimers();
});

const listings = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) =>
    buildListing({ id: String(from + at), title: `Vehicle ${from + at}` }),
  );
const mount = (search: Partial<SearchState> = {}, session: Parameters<typeof buildState>[1] = {}) => {
  const state = buildState(search, { flags: { ...FLAGS }, ...session });
  const shell = mountInTestShell(module, { state });
  const sent = (type: string) =>
    shell.events.filter((event) => event.type === type).map((event) => event.payload);
  return { ...shell, sent };
};
const cards = () => screen.getAllByRole('article').map((card) => card.querySelector('h3')?.textContent);
const card = (name: string) => within(screen.getByRole('article', { name }));

describe('results heading', () => {
  it("reads '{n} Matches' with the total count [B2-HEAD-01]", () => {
    mount({ totalResultCount: 3421 });
    expect(screen.getByRole('heading', { level: 2, name: '3,421 Matches' })).toHaveAttribute(
      'id',
      'results-heading',
    );
  });

  it('links to the model reference of the one make and model, while that is on', () => {
    const search = {
      criteria: {
        ...buildState().search.criteria,
        filters: { makeCode: ['FORD'], modelCode: ['F150'], startYear: ['2021'], endYear: ['2021'] },
      },
    };
    const { unmount } = mount(search);
    expect(screen.getByRole('link', { name: 'Learn more about 2021 Ford F-150' })).toHaveAttribute(
      'href',
      '#model-reference-container',
    );
    unmount();
    mount(search, { flags: { ...FLAGS, modelReference: false } });
    expect(screen.queryByRole('link', { name: /Learn more/ })).toBeNull();
  });
});

describe('sort', () => {
  it("is a select labelled 'Sort By:' with all options [B2-SORT-01] [A3-SORT-01]", () => {
    mount();
    const select = screen.getByRole('combobox', { name: 'Sort By:' });
    expect(
      within(select)
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual(SORT_OPTIONS.map(({ label }) => label));
  });

  it('asks for the same search in the chosen order from its first page', async () => {
    const { sent } = mount();
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Sort By:' }), 'yearDESC');
    expect(sent('search.changeRequested')).toMatchObject([
      { criteria: { sortBy: 'yearDESC', firstRecord: 0 }, cause: 'sort' },
    ]);
  });

  it('repeats the other parameters in a GET form', () => {
    const { container } = mount({ url: '/cars-for-sale/used?firstRecord=30&sortBy=yearASC&zip=60601' });
    const form = container.querySelector('form:has(select)');
    expect(form).toHaveAttribute('action', '/cars-for-sale/used');
    const hidden = [...(form?.querySelectorAll('input[type=hidden]') ?? [])] as HTMLInputElement[];
    expect(hidden.map(({ name, value }) => [name, value])).toEqual([['zip', '60601']]);
  });
});

describe('card', () => {
  it('links its title to the vehicle, with the way it was clicked [B2-ROUTE-03] [B2-ROUTE-04]', () => {
    mount({
      listings: listings(1, 1),
      spotlights: [
        { premium: [buildListing({ id: 'p1', title: 'Paid' })], featured: [], standard: [], fourthTier: [] },
      ],
    });
    expect(screen.getByRole('link', { name: 'Vehicle 1' })).toHaveAttribute(
      'href',
      '/cars-for-sale/vehicle/1?clickType=listing',
    );
    expect(screen.getByRole('link', { name: 'Paid' })).toHaveAttribute(
      'href',
      '/cars-for-sale/vehicle/p1?clickType=spotlight',
    );
  });

  it("marks paid vehicles with the word 'Sponsored' and no others", () => {
    mount({
      listings: listings(1, 1),
      spotlights: [
        { premium: [buildListing({ id: 'p1', title: 'Paid' })], featured: [], standard: [], fourthTier: [] },
      ],
    });
    expect(card('Paid').getByText('Sponsored')).toBeVisible();
    expect(card('Vehicle 1').queryByText('Sponsored')).toBeNull();
  });

  it('loads the first three pictures eagerly and the rest lazily, in reserved space [A9-EAGER-01]', () => {
    mount({ listings: listings(1, 5) });
    const pictures = screen.getAllByRole('img', { name: '2021 Ford F-150 XLT' });
    expect(pictures.map((picture) => picture.getAttribute('loading'))).toEqual([
      'eager',
      'eager',
      'eager',
      'lazy',
      'lazy',
    ]);
    for (const picture of pictures) {
      expect(picture).toHaveAttribute('width');
      expect(picture).toHaveAttribute('height');
    }
  });

  it('marks a 360 view only where there is one [A3-LISTING-08]', () => {
    const [first, second] = [
      buildListing({ id: '1', title: 'A', fyuseId: 'f' }),
      buildListing({ id: '2', title: 'B' }),
    ];
    mount({ listings: [first, second] });
    expect(card('A').getByText('360° view')).toBeVisible();
    expect(card('B').queryByText('360° view')).toBeNull();
  });

  it('shows the distance of the owner [A3-OWNER-03]', () => {
    mount();
    expect(screen.getByText('12 mi away · Chicago, IL')).toBeVisible();
  });

  it('asks for the offer dialog of a private seller and for no email [B1-OFFER-08]', async () => {
    const { sent } = mount({ owners: { d1: buildOwner({ privateSeller: true }) } });
    expect(screen.queryByRole('button', { name: /Email Seller/ })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: /^Make Offer/ }));
    expect(sent('lead.requested')).toEqual([{ listingId: '1001', kind: 'offer' }]);
  });

  it('asks for the email dialog of a dealer and for no offer [B1-OFFER-09]', async () => {
    const { sent } = mount();
    expect(screen.queryByRole('button', { name: /Make Offer/ })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: /^Email Seller/ }));
    expect(sent('lead.requested')).toEqual([{ listingId: '1001', kind: 'email' }]);
  });

  it('calls by a tel: link [A1-SCOPE-10]', () => {
    mount();
    expect(screen.getByRole('link', { name: /^Call Seller/ })).toHaveAttribute('href', 'tel:+13125550100');
  });

  it('asks others to save, share and report, where they do', async () => {
    const { sent } = mount({}, { flags: { ...FLAGS, saveListing: true, reportListing: true } });
    await userEvent.click(screen.getByRole('button', { name: /^Save/ }));
    await userEvent.click(screen.getByRole('button', { name: /^Share/ }));
    await userEvent.click(screen.getByRole('button', { name: /^Report/ }));
    for (const type of ['save', 'share', 'report'])
      expect(sent(`listing.${type}Requested`)).toEqual([{ listingId: '1001' }]);
  });

  it('offers nothing that nobody would answer', () => {
    mount();
    expect(screen.getByRole('button', { name: /^Share/ })).toBeVisible();
    expect(screen.queryByRole('button', { name: /^(Save|Report)/ })).toBeNull();
  });

  it("offers neither share nor report on the manufacturer's page [A6-BRAND-03]", () => {
    mount({}, { brand: 'oem', flags: { ...FLAGS, saveListing: true, reportListing: true } });
    expect(screen.queryByRole('button', { name: /^(Share|Report)/ })).toBeNull();
    expect(screen.getByRole('button', { name: /^Save/ })).toBeVisible();
  });

  it('reports a click on the vehicle', async () => {
    const { sent } = mount();
    const link = screen.getByRole('link', { name: '2021 Ford F-150 XLT' });
    link.addEventListener('click', (event) => event.preventDefault());
    await userEvent.click(link);
    expect(sent('page.tracked')).toEqual([
      { kind: 'click', name: 'listing', listingId: '1001', tile: 'listing', position: 0 },
    ]);
  });

  it('reports once that a tile was seen', () => {
    jest.useFakeTimers();
    const { sent } = mount({ listings: listings(1, 2) });
    const [first] = screen.getAllByRole('listitem');
    for (let times = 0; times < 2; times++) if (first) scrollTo(first);
    act(() => void jest.advanceTimersByTime(1000));
    expect(sent('page.tracked')).toEqual([
      { kind: 'impression', name: 'listing', listingId: '1', tile: 'listing', position: 0 },
    ]);
  });
});

describe('compare', () => {
  const names = (pattern: RegExp) => screen.queryAllByRole('button', { name: pattern });
  const add = (title: string) => userEvent.click(screen.getByRole('button', { name: `Compare ${title}` }));
  const drawer = () => within(screen.getByRole('complementary', { name: 'Compare vehicles' }));

  it("turns Compare into 'Added to Compare' and opens the drawer with placeholders [A4-COMPARE-01] [A4-COMPARE-02] [A2-UI-03]", async () => {
    mount({ listings: listings(1, 3) });
    expect(screen.queryByRole('complementary')).toBeNull();
    await add('Vehicle 2');
    expect(card('Vehicle 2').getByRole('button', { name: /^Added to Compare/ })).toBeVisible();
    expect(drawer().getByText('Vehicle 2')).toBeVisible();
    expect(drawer().getAllByText('Add a vehicle')).toHaveLength(4);
  });

  it('holds two vehicles that were added [A1-SCOPE-06]', async () => {
    mount({ listings: listings(1, 3) });
    await add('Vehicle 1');
    await add('Vehicle 3');
    expect(drawer().getByText('Vehicle 1')).toBeVisible();
    expect(drawer().getByText('Vehicle 3')).toBeVisible();
  });

  it('is offered with four vehicles and no more with five; what is in stays removable [A4-COMPARE-03] [A9-LIMIT-02] [B9-PAGE-07]', async () => {
    mount({ listings: listings(1, 7) });
    for (const number of [1, 2, 3, 4]) await add(`Vehicle ${number}`);
    expect(names(/^Compare Vehicle/)).toHaveLength(3);
    await add('Vehicle 5');
    expect(names(/^Compare Vehicle/)).toHaveLength(0);
    expect(names(/^Added to Compare/)).toHaveLength(5);
    await userEvent.click(card('Vehicle 5').getByRole('button', { name: /^Added to Compare/ }));
    expect(names(/^Compare Vehicle/)).toHaveLength(3);
  });

  it('opens the comparison from two vehicles on [B2-MODAL-01]', async () => {
    mount({ listings: listings(1, 2) });
    await add('Vehicle 1');
    const open = drawer().getByRole('button', { name: 'Compare now' });
    expect(open).toBeDisabled();
    await add('Vehicle 2');
    await userEvent.click(open);
    const dialog = within(screen.getByRole('dialog', { name: 'Compare vehicles' }));
    expect(dialog.getAllByRole('columnheader')).toHaveLength(2);
    expect(dialog.getAllByRole('rowheader').map(({ textContent }) => textContent)).toEqual([
      'Price',
      'Mileage',
      'MPG',
      'Drive',
      'Engine',
      'Doors',
      'Colors',
      'Seller',
      'Distance',
    ]);
  });

  it('survives a reload', async () => {
    const first = mount({ listings: listings(1, 2) });
    await add('Vehicle 1');
    first.unmount();
    mount({ listings: listings(5, 2) });
    expect(drawer().getByText('Vehicle 1')).toBeVisible();
  });

  it('ignores what it cannot read in the storage', () => {
    sessionStorage.setItem('compare', '[{"id":1},{"id":"2","title":"x","href":"javascript:x","rows":{}}]');
    mount();
    expect(screen.queryByRole('complementary')).toBeNull();
  });

  it('does not exist while its flag is off [B6-FLAG-01]', () => {
    mount({}, { flags: { ...FLAGS, compare: false } });
    expect(names(/Compare/)).toHaveLength(0);
  });
});

describe('paging', () => {
  const paged = { listings: listings(1, 30), pageSizes: [30], totalResultCount: 90 };
  const more = () => screen.queryByRole('button', { name: 'See More Results' });
  const sentinel = () => {
    const form = more()?.closest('form')?.parentElement;
    if (!form) throw new Error('no paging on the page');
    return form;
  };
  const loadNext = (shell: ReturnType<typeof mount>, firstRecord: number) => {
    const requestId = `more${firstRecord}`;
    act(() => void shell.store.dispatch(moreStarted({ requestId })));
    const page = {
      listings: listings(firstRecord + 1, 30),
      owners: {},
      spotlights: { premium: [], featured: [], standard: [], fourthTier: [] },
      firstRecord,
      url: `/cars-for-sale/all-cars?firstRecord=${firstRecord}`,
    };
    return () => act(() => void shell.store.dispatch(moreLoaded({ requestId, page })));
  };

  it("shows 'See More Results' after the first page and loads nothing by scrolling [B4-PAGING-01] [B2-BOTTOM-01]", () => {
    const { sent } = mount(paged);
    expect(more()).toBeVisible();
    scrollTo(sentinel());
    expect(sent('search.moreRequested')).toEqual([]);
  });

  it('is a link to the next page for those without JavaScript', () => {
    const { container } = mount({ ...paged, url: '/cars-for-sale/used?zip=60601' });
    const form = container.querySelector('form:not(:has(select))');
    expect(form).toHaveAttribute('action', '/cars-for-sale/used');
    expect(form?.querySelector('[name=firstRecord]')).toHaveValue('30');
    expect(form?.querySelector('[name=zip]')).toHaveValue('60601');
  });

  it('loads the third page by scrolling after one click, 1000 px before the end [B4-PAGING-02] [B9-SCROLL-01]', async () => {
    const shell = mount(paged);
    const button = more();
    if (button) await userEvent.click(button);
    expect(shell.sent('search.moreRequested')).toHaveLength(1);
    loadNext(shell, 30)();
    scrollTo(sentinel());
    expect(shell.sent('search.moreRequested')).toHaveLength(2);
    const margins = Observer.all.map(({ options }) => options.rootMargin).filter(Boolean);
    expect(new Set(margins)).toEqual(new Set(['0px 0px 1000px 0px']));
  });

  it('waits for a click each time while infinite scroll is off [B6-FLAG-06]', () => {
    const shell = mount(paged, { flags: { ...FLAGS, infiniteScroll: false } });
    loadNext(shell, 30)();
    scrollTo(sentinel());
    expect(shell.sent('search.moreRequested')).toEqual([]);
  });

  it('asks for no page while one is under way [B4-PAGING-03]', async () => {
    const shell = mount(paged);
    loadNext(shell, 30);
    await userEvent.click(screen.getByRole('button', { name: 'Loading more results...' }));
    expect(shell.sent('search.moreRequested')).toEqual([]);
  });

  it("shows 25 placeholders and 'Loading more results...' meanwhile [B4-PAGING-04] [B2-BOTTOM-02]", () => {
    const shell = mount(paged);
    const arrive = loadNext(shell, 30);
    expect(shell.container.querySelectorAll('[data-placeholder]')).toHaveLength(25);
    expect(screen.getByText('Loading more results...')).toBeVisible();
    arrive();
    expect(shell.container.querySelectorAll('[data-placeholder]')).toHaveLength(0);
    expect(cards()).toHaveLength(60);
  });

  it('puts the new page below the loaded ones [B4-PAGING-07]', () => {
    const shell = mount(paged);
    loadNext(shell, 30)();
    expect(cards().slice(28, 32)).toEqual(['Vehicle 29', 'Vehicle 30', 'Vehicle 31', 'Vehicle 32']);
  });

  it('goes on with the focus at the first new vehicle', async () => {
    const shell = mount(paged);
    const button = more();
    if (button) await userEvent.click(button);
    loadNext(shell, 30)();
    expect(screen.getByRole('link', { name: 'Vehicle 31' })).toHaveFocus();
  });

  it('ends after the last page', () => {
    const shell = mount({ ...paged, totalResultCount: 60 });
    loadNext(shell, 30)();
    expect(more()).toBeNull();
  });

  it('links from a later page to the one before', () => {
    const criteria = { ...buildState().search.criteria, firstRecord: 60 };
    mount({ ...paged, criteria, firstLoadedRecord: 60, url: '/cars-for-sale/all-cars?firstRecord=60' });
    expect(screen.getByRole('link', { name: 'See previous results' })).toHaveAttribute(
      'href',
      '/cars-for-sale/all-cars?firstRecord=30',
    );
  });
});

describe('states', () => {
  it('keeps the old vehicles while a changed search is under way, spotlights too', () => {
    const premium = [buildListing({ id: 'p1', title: 'Paid' })];
    const shell = mount({
      listings: listings(1, 2),
      spotlights: [{ premium, featured: [], standard: [], fourthTier: [] }],
    });
    const { criteria, url } = buildState().search;
    act(() => void shell.store.dispatch(searchStarted({ requestId: 'r2', criteria, url })));
    expect(cards()).toEqual(['Paid', 'Vehicle 1', 'Vehicle 2']);
    expect(screen.getByRole('list', { name: /Matches/ })).toHaveAttribute('aria-busy', 'true');
  });

  it('says that a search failed, keeps the old vehicles and tries again', async () => {
    const { sent } = mount({ status: 'failed', listings: listings(1, 2) });
    expect(screen.getByRole('alert')).toHaveTextContent(
      'We are sorry. There was an issue with your last search.',
    );
    expect(cards()).toHaveLength(2);
    await userEvent.click(screen.getByRole('button', { name: 'Please try again' }));
    expect(sent('search.retryRequested')).toEqual([{}]);
  });

  it.each([
    ['an empty result [A4-FLOW-02] [A8-ERR-10]', { listings: [], totalResultCount: 0 }],
    ['invalid parameters [A4-FLOW-03]', { status: 'invalid' as const }],
  ])('asks to update the filters for %s', (_, search) => {
    mount(search);
    expect(screen.getByText('Update filter criteria to see more results')).toBeVisible();
    expect(screen.queryByRole('article')).toBeNull();
  });

  it('offers the single filters whose removal brings results', async () => {
    const criteria = {
      ...buildState().search.criteria,
      filters: { makeCode: ['FORD'], maxPrice: ['9000'] },
    };
    const suggestions = {
      ...buildState().search.suggestions,
      nearMisses: [{ name: 'priceRange', count: 1240 }],
    };
    const { sent } = mount({ listings: [], totalResultCount: 0, criteria, suggestions });
    const link = screen.getByRole('link', { name: 'Without Price: 1,240 matches' });
    expect(link).toHaveAttribute('href', expect.stringContaining('makeCode=FORD'));
    await userEvent.click(link);
    expect(sent('search.changeRequested')).toMatchObject([
      { criteria: { filters: { makeCode: ['FORD'] } }, cause: 'nearMiss:priceRange' },
    ]);
  });

  it('names the expired vehicle when make and model are known [B8-ERR-07] [B8-ERR-08] [B2-ALERT-01]', () => {
    const criteria = { ...buildState().search.criteria, expiredListing: true };
    const { unmount } = mount({
      criteria: { ...criteria, filters: { makeCode: ['FORD'], modelCode: ['F150'] } },
    });
    expect(
      screen.getByText("We're sorry, the Ford F-150 you were looking for is no longer available."),
    ).toBeVisible();
    expect(screen.getByText('Here are vehicles you may be interested in.')).toBeVisible();
    unmount();
    mount({ criteria });
    expect(
      screen.getByText("We're sorry, the vehicle you were looking for is no longer available."),
    ).toBeVisible();
  });

  it('shows a notice as a status message', () => {
    mount({ notice: 'Bookmark not found' });
    expect(screen.getByRole('status')).toHaveTextContent('Bookmark not found');
  });
});

describe('bottom blocks', () => {
  const criteria = { ...buildState().search.criteria, filters: { searchRadius: ['50'], zip: ['60601'] } };
  const found = listings(101, 2);
  const few = { listings: listings(1, 3), totalResultCount: 3, criteria };
  const mountFew = (search: Partial<SearchState> = {}) => {
    const similar = jest.fn((_: CallParams) => ({ listings: [...listings(1, 1), ...found], owners: [] }));
    const supplemental = jest.fn((_: CallParams) => ({
      listings: [...found, ...listings(201, 1)],
      owners: [],
    }));
    const state = buildState({ ...few, ...search }, { flags: { ...FLAGS } });
    const shell = mountInTestShell(module, { state, calls: { similar, supplemental } });
    const blocks = () => [...shell.container.querySelectorAll('section section')];
    return { ...shell, similar, supplemental, blocks };
  };
  const titles = (name: string) =>
    within(screen.getByRole('region', { name }))
      .getAllByRole('heading', { level: 3 })
      .map(({ textContent }) => textContent);

  it('shows similar and supplemental vehicles without those shown already, once they are near [B2-BOTTOM-03] [A9-LIMIT-13]', async () => {
    const { blocks, similar, supplemental } = mountFew();
    expect(similar).not.toHaveBeenCalled();
    expect(new Set(Observer.all.map(({ options }) => options.rootMargin))).toContain('300px');
    for (const block of blocks()) scrollTo(block);
    await screen.findByRole('link', { name: 'Vehicle 101' });
    await screen.findByRole('link', { name: 'Vehicle 201' });
    expect(titles('Similar vehicles')).toEqual(['Vehicle 101', 'Vehicle 102']);
    expect(titles('More vehicles for you')).toEqual(['Vehicle 201']);
    expect(similar.mock.calls[0]?.[0]).toMatchObject({ searchRadius: '50', excludedListingId: '1,2,3' });
    expect(supplemental.mock.calls[0]?.[0]).toMatchObject({ supplemental: 'true', numRecords: '100' });
    expect(screen.getByRole('link', { name: 'Vehicle 101' })).toHaveAttribute(
      'href',
      '/cars-for-sale/vehicle/101?clickType=similar',
    );
  });

  it('shows vehicles of other markets below fewer than 25 results [B2-BOTTOM-04] [B9-BOTTOM-02]', async () => {
    const pageData = { suggestedModels: [], marketExtensionDma: '602' };
    const answer = {
      listings: [
        buildListing({ id: '301', title: 'Here', ownerId: 'near' }),
        buildListing({ id: '302', title: 'There', ownerId: 'far' }),
      ],
      owners: [buildOwner({ id: 'near', dma: '602' }), buildOwner({ id: 'far', dma: '617' })],
    };
    const supplemental = jest.fn((params: CallParams) =>
      params['marketExtension'] ? answer : { listings: [], owners: [] },
    );
    const mountWith = (totalResultCount: number) => {
      const state = buildState({ ...few, totalResultCount, pageData }, { flags: { ...FLAGS } });
      return mountInTestShell(module, { state, calls: { supplemental } });
    };
    const nearby = (container: HTMLElement) => container.querySelector('[data-block=nearby]');
    const with25 = mountWith(25);
    expect(nearby(with25.container)).toBeNull();
    with25.unmount();
    const block = nearby(mountWith(24).container);
    if (block) scrollTo(block);
    await screen.findByRole('link', { name: 'There' });
    expect(titles('From markets near you')).toEqual(['There']);
    expect(supplemental.mock.calls[0]?.[0]).toMatchObject({
      marketExtension: 'include',
      searchRadius: '100',
    });
  });

  it('has 21 and 6 placeholders while they load [B9-SCROLL-03] [B9-SCROLL-04]', async () => {
    const { blocks, container } = mountFew();
    const [similar, supplemental] = blocks();
    if (similar) scrollTo(similar);
    expect(container.querySelectorAll('[data-placeholder]')).toHaveLength(21);
    await screen.findByRole('link', { name: 'Vehicle 101' });
    if (supplemental) scrollTo(supplemental);
    expect(container.querySelectorAll('[data-placeholder]')).toHaveLength(6);
    await screen.findByRole('link', { name: 'Vehicle 201' });
    expect(container.querySelectorAll('[data-placeholder]')).toHaveLength(0);
  });

  it('leaves no trace when a call fails', async () => {
    const state = buildState(few, { flags: { ...FLAGS } });
    const { container } = mountInTestShell(module, { state });
    const block = container.querySelector('section section');
    await act(async () => block && Observer.all.forEach((observer) => observer.show(block)));
    expect(screen.queryByText('Similar vehicles')).toBeNull();
    expect(container.querySelectorAll('[data-placeholder]')).toHaveLength(0);
  });

  it('offers similar vehicles only around a place [B4-PAGING-09]', () => {
    const { blocks } = mountFew({ criteria: { ...criteria, filters: {} } });
    expect(blocks()).toHaveLength(1);
  });

  it('offers both with 25 results and neither with 26 [B4-PAGING-10] [B9-BOTTOM-01]', () => {
    const { unmount, blocks } = mountFew({ totalResultCount: 25 });
    expect(blocks()).toHaveLength(2);
    unmount();
    expect(mountFew({ totalResultCount: 26 }).blocks()).toHaveLength(0);
  });

  it('waits until the search has settled [B4-PAGING-11]', () => {
    expect(mountFew({ status: 'loading' }).blocks()).toHaveLength(0);
  });
});

describe('rendering', () => {
  it('takes over the HTML of the server without a difference, whatever the tab remembers', async () => {
    sessionStorage.setItem(
      'compare',
      JSON.stringify([{ id: '1', title: 'Vehicle 1', href: '/cars-for-sale/vehicle/1', rows: {} }]),
    );
    const state = buildState(
      { listings: listings(1, 3), totalResultCount: 90 },
      { flags: { ...FLAGS }, visitorZip: null },
    );
    const idle = async () => {
      throw new Error('no calls');
    };
    const { signal } = new AbortController();
    const { html } = await renderSlot(module, { slot: 'results', state, call: idle, signal });
    const element = document.createElement('div');
    document.body.append(element);
    const server = new DOMParser().parseFromString(html, 'text/html');
    element.append(...server.body.childNodes);
    const onError = jest.fn();
    const environment: SlotEnvironment = {
      slot: 'results',
      emit: () => {},
      listen: () => () => {},
      call: idle,
      attachOutlet: () => () => {},
    };
    const options = { module: module, element, store: createStore(state), environment };
    let mounted: ReturnType<typeof mountSlot> | undefined;
    await act(async () => {
      mounted = mountSlot({ ...options, server: { state, data: undefined }, onReady: () => {}, onError });
    });
    expect(onError).not.toHaveBeenCalled();
    expect(within(element).getByRole('button', { name: 'Added to Compare Vehicle 1' })).toBeVisible();
    act(() => mounted?.unmount());
    element.remove();
  });

  it('does not render the old cards again when a page is appended', () => {
    const [first, ...others] = listings(1, 30);
    if (!first) throw new Error('no listing');
    let reads = 0;
    const counted = { enumerable: true, get: () => (reads++, first.title) };
    // Frozen, as the store would do it, reading each property.
    const watched = Object.freeze(Object.defineProperty({ ...first }, 'title', counted));
    const { store } = mount({ listings: [watched, ...others], pageSizes: [30], totalResultCount: 90 });
    const before = reads;
    const page = {
      listings: listings(31, 30),
      owners: { d1: buildOwner() },
      spotlights: { premium: [], featured: [], standard: [], fourthTier: [] },
      firstRecord: 30,
      url: '/cars-for-sale/all-cars?firstRecord=30',
    };
    act(() => void store.dispatch(moreStarted({ requestId: 'm' })));
    act(() => void store.dispatch(moreLoaded({ requestId: 'm', page })));
    expect(cards()).toHaveLength(60);
    expect(reads).toBe(before);
  });
});
