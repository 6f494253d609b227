/** @jest-environment jest-fixed-jsdom */
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { fireEvent, act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { FLAGS } from '@forecourt/search/brands';
import { viewedListingsStorage } from '@forecourt/search/storage';
import { searchLoaded } from '@forecourt/search/state';
import { buildListing, buildOwner, buildState } from '@forecourt/search/testing';
import { card, listings, mountResults, noSpotlights, openMenus } from '../testing/mountResults.ts';
import { FakeIntersections, prepareViewport, scrollTo } from '../testing/viewport.ts';

const withWallet = { ...FLAGS, ads: false };
const actions = { ...FLAGS, ads: false, wallet: false, saveListing: true, reportListing: true };

beforeEach(prepareViewport);

/** In two lines. */
const TITLE = /^2021 Ford F-150\sXLT$/;

describe('card', () => {
  // rows: B2-ROUTE-03, B2-ROUTE-04
  it("links the card's title to the vehicle, with the click type", () => {
    mountResults({
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
    mountResults({
      listings: listings(1, 1),
      spotlights: [
        { premium: [buildListing({ id: 'p1', title: 'Paid' })], featured: [], standard: [], fourthTier: [] },
      ],
    });
    expect(card('Paid').getByText('Sponsored')).toBeVisible();
    expect(card('Vehicle 1').queryByText('Sponsored')).toBeNull();
  });

  // rows: A9-EAGER-01
  it('loads the first three pictures eagerly and the rest lazily', () => {
    mountResults({ listings: listings(1, 5) });
    const pictures = screen.getAllByRole('img', { name: '2021 Ford F-150 XLT' });
    expect(pictures.map((picture) => picture.getAttribute('loading'))).toEqual([
      'eager',
      'eager',
      'eager',
      'lazy',
      'lazy',
    ]);
    expect(pictures.map((picture) => picture.getAttribute('fetchpriority'))).toEqual([
      'high',
      ...Array<null>(4).fill(null),
    ]);
  });

  describe('with several pictures', () => {
    const photo = (name: string) => ({
      src: `/pictures/photos/${name}-640`,
      alt: `Photo ${name}`,
      widths: [320, 640, 1280],
      width: 1280,
      height: 960,
      color: '#335577',
    });
    const mount = () =>
      mountResults({
        listings: [
          buildListing({ images: { primary: 0, sources: [photo('a'), photo('b'), photo('c')] } }),
          ...listings(2, 3),
        ],
      });
    const shown = () =>
      screen.getAllByRole('img', { name: /^Photo/ }).filter(({ className }) => !/hidden/.test(className));
    const link = () => screen.getAllByRole('link', { name: /F-150/ })[0]!;

    it('lets the browser choose the variant, and shows the color of the photo until then', () => {
      mount();
      const [picture] = shown();
      expect(picture).toHaveAttribute(
        'srcset',
        '/pictures/photos/a-320 320w, /pictures/photos/a-640 640w, /pictures/photos/a-1280 1280w',
      );
      expect(picture).toHaveAttribute('sizes', expect.stringContaining('340px'));
      expect(picture).toHaveStyle({ backgroundColor: '#335577' });
    });

    it('shows the preview of the first photo until it is there, or in its place', () => {
      const [first, ...others] = [photo('a'), photo('b')];
      mountResults({
        listings: [
          buildListing({ images: { primary: 0, sources: [{ ...first, preview: 'UklG' }, ...others] } }),
        ],
      });
      const preview = document.querySelector('img[src="data:image/webp;base64,UklG"]');
      expect(preview).toHaveStyle({ backgroundColor: '#335577' });
      // It lies on the preview.
      expect(shown()[0]).not.toHaveStyle({ backgroundColor: '#335577' });
    });

    it('has one picture until the shopper turns to the card, then the next one too', async () => {
      mount();
      expect(screen.getAllByRole('img', { name: /^Photo/ })).toHaveLength(1);
      await userEvent.hover(card('2021 Ford F-150 XLT').getByRole('img', { name: 'Photo a' }));
      expect(document.querySelectorAll('img[alt^="Photo"]')).toHaveLength(2);
    });

    it('loads the next picture at once on a card whose first picture loads lazily', async () => {
      const images = { primary: 0, sources: [photo('a'), photo('b')] };
      mountResults({ listings: [...listings(2, 3), buildListing({ images })] });
      await userEvent.hover(card('2021 Ford F-150 XLT').getByRole('img', { name: 'Photo a' }));
      const pictures = [...document.querySelectorAll('img[alt^="Photo"]')];
      expect(pictures.map((picture) => picture.getAttribute('loading'))).toEqual(['lazy', 'eager']);
    });

    it('is turned by buttons, which stop at the ends', async () => {
      mount();
      const { getByRole } = card('2021 Ford F-150 XLT');
      await userEvent.hover(link());
      for (const name of ['b', 'c', 'c']) {
        await userEvent.click(getByRole('button', { name: 'Next picture' }));
        expect(shown().map((each) => each.getAttribute('alt'))).toEqual([`Photo ${name}`]);
      }
      expect(getByRole('status')).toHaveTextContent('Picture 3 of 3');
      await userEvent.click(getByRole('button', { name: 'Previous picture' }));
      expect(shown()[0]).toHaveAttribute('alt', 'Photo b');
    });

    it('is turned by the arrow keys on the link and by a sideways swipe, not by a scroll', () => {
      mount();
      const swipe = (across: number, down: number) => {
        fireEvent.touchStart(link(), { touches: [{ clientX: 200, clientY: 200 }] });
        fireEvent.touchEnd(link(), { changedTouches: [{ clientX: 200 + across, clientY: 200 + down }] });
      };
      const alt = () => shown()[0]!.getAttribute('alt');
      fireEvent.keyDown(link(), { key: 'ArrowRight' });
      expect(alt()).toBe('Photo b');
      swipe(-80, 10);
      expect(alt()).toBe('Photo c');
      swipe(10, 0);
      swipe(60, 90);
      expect(alt()).toBe('Photo c');
      swipe(80, 10);
      expect(alt()).toBe('Photo b');
    });
  });

  // rows: A3-LISTING-08
  it('offers the 360 view only when there is one', () => {
    const [first, second] = [
      buildListing({ id: '1', title: 'A', fyuseId: 'f' }),
      buildListing({ id: '2', title: 'B' }),
    ];
    // The label of a paid vehicle is where the marker would be.
    const spotlights = [{ ...noSpotlights, premium: [buildListing({ id: 'p1', title: 'Paid' })] }];
    mountResults({ listings: [first, second], spotlights });
    expect(card('A').getByRole('button', { name: /^360° view of / })).toBeVisible();
    expect(card('B').queryByRole('button', { name: /360°/ })).toBeNull();
    expect(card('Paid').queryByRole('button', { name: /360°/ })).toBeNull();
  });

  // rows: A3-OWNER-03
  it('shows the distance to the seller', () => {
    mountResults();
    expect(screen.getByText('12 mi away')).toBeVisible();
  });

  // rows: B1-OFFER-08, B6-CTA-01
  it('requests the offer dialog, not email, for a private seller', async () => {
    const { payloads } = mountResults({ owners: { d1: buildOwner({ privateSeller: true }) } });
    expect(screen.queryByRole('button', { name: /Email Seller/ })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: /^Make Offer/ }));
    expect(payloads('lead.requested')).toEqual([{ listingId: '1001', kind: 'offer' }]);
  });

  // rows: B1-OFFER-09, A1-SCOPE-09
  it('requests the email dialog, not an offer, for a dealer', async () => {
    const { payloads } = mountResults();
    expect(screen.queryByRole('button', { name: /Make Offer/ })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: /^Email Seller/ }));
    expect(payloads('lead.requested')).toEqual([{ listingId: '1001', kind: 'email' }]);
  });

  it('says on its button that a click sends an email', () => {
    mountResults({}, { emailsInOneClick: true });
    expect(screen.getByRole('button', { name: /^Send 1-Click Email about / })).toHaveTextContent(
      'Send 1-Click Email',
    );
  });

  // rows: A1-SCOPE-10
  it("calls the listing's phone with a tel: link, or else the seller's", () => {
    mountResults({
      listings: [
        buildListing({ id: '1', title: 'Tracked', phone: '773-555-0199' }),
        buildListing({ id: '2', title: 'Untracked', phone: undefined }),
      ],
    });
    const call = (title: string) => screen.getByRole('link', { name: `Call Seller about ${title}` });
    expect(call('Tracked')).toHaveAttribute('href', 'tel:+17735550199');
    expect(call('Untracked')).toHaveAttribute('href', 'tel:+13125550100');
  });

  // rows: A1-SCOPE-07, A1-SCOPE-08
  it('emits save, share and report intents when they are available', async () => {
    const { payloads } = mountResults({}, { flags: actions });
    expect(screen.queryByRole('button', { name: /^(Share|Report)/ })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: /^Save/ }));
    await openMenus();
    await userEvent.click(screen.getByRole('button', { name: /^Share/ }));
    await userEvent.click(screen.getByRole('button', { name: /^Report/ }));
    for (const type of ['save', 'share', 'report'] as const)
      expect(payloads(`listing.${type}Requested`)).toEqual([{ listingId: '1001' }]);
  });

  it('hides card actions that are not available', async () => {
    mountResults({}, { flags: { ...actions, saveListing: false, reportListing: false } });
    await openMenus();
    expect(screen.getByRole('button', { name: /^Share/ })).toBeVisible();
    expect(screen.queryByRole('button', { name: /^(Save|Report)/ })).toBeNull();
  });

  // rows: A6-BRAND-03
  it("offers neither share nor report on the manufacturer's page", async () => {
    mountResults({}, { brand: 'oem', flags: actions });
    await openMenus();
    expect(screen.queryByRole('button', { name: /^(Share|Report)/ })).toBeNull();
    expect(screen.getByRole('button', { name: /^Save/ })).toBeVisible();
  });

  // rows: B7-ADS-02
  it('reports a click on the vehicle', async () => {
    const { payloads } = mountResults();
    const link = screen.getByRole('link', { name: TITLE });
    link.addEventListener('click', (event) => event.preventDefault());
    await userEvent.click(link);
    expect(payloads('page.tracked')).toEqual([
      { kind: 'click', name: 'listing', listingId: '1001', tile: 'listing', position: 0 },
    ]);
    expect(payloads('listing.viewed')).toEqual([{ listingId: '1001' }]);
    expect(viewedListingsStorage.read()).toEqual(['1001']);
  });

  it('counts a middle click, which opens a tab, but not a right click', () => {
    const { payloads } = mountResults();
    const link = screen.getByRole('link', { name: TITLE });
    const press = (button: number) => fireEvent(link, new MouseEvent('auxclick', { bubbles: true, button }));
    press(2);
    expect(payloads('listing.viewed')).toEqual([]);
    press(1);
    expect(payloads('listing.viewed')).toEqual([{ listingId: '1001' }]);
  });

  // rows: B7-ADS-02
  it('reports one impression of a tile', async () => {
    jest.useFakeTimers({ doNotFake: ['performance', 'requestIdleCallback'] });
    const { payloads } = mountResults({ listings: listings(1, 2) });
    const [first] = screen.getAllByRole('listitem');
    for (let times = 0; times < 2; times++) if (first) await scrollTo(first);
    act(() => void jest.advanceTimersByTime(1000));
    jest.useRealTimers();
    expect(payloads('page.tracked')).toEqual([
      { kind: 'impression', name: 'listing', listingId: '1', tile: 'listing', position: 0 },
    ]);
  });

  it('reports an impression at once when the results go before it was due', async () => {
    const { payloads, unmount } = mountResults({ listings: listings(1, 2) });
    const [first] = screen.getAllByRole('listitem');
    if (first) await scrollTo(first);
    unmount();
    expect(payloads('page.tracked')).toHaveLength(1);
  });

  // rows: A4-LISTSAVE-01
  it('tracks a click on save and shows that the listing is saved', async () => {
    const { payloads, bus } = mountResults({}, { flags: actions });
    const heart = screen.getByRole('button', { name: /^Save/ });
    expect(heart).toHaveAttribute('aria-pressed', 'false');
    await userEvent.click(heart);
    expect(payloads('page.tracked')).toEqual([{ kind: 'click', name: 'saveListing', listingId: '1001' }]);
    act(() => bus.emit('listing.savedChanged', { listingId: '1001', saved: true }, 'leads'));
    expect(heart).toHaveAttribute('aria-pressed', 'true');
  });

  // rows: A4-EMAIL-03
  it('shows that the seller was contacted', () => {
    const { bus } = mountResults({ listings: listings(1, 2) });
    act(() => bus.emit('lead.sent', { listingId: '2' }, 'leads'));
    expect(card('Vehicle 2').getByRole('button', { name: /^Email Sent/ })).toBeVisible();
    expect(card('Vehicle 1').getByRole('button', { name: /^Email Seller/ })).toBeVisible();
  });

  // rows: A3-LISTING-10, B4-PANEL-15
  it('shows payments while they are turned on, with the terms of the wallet if there is one', () => {
    const pricingDetail = { derivedPrice: 30_000, payments: { monthly: 512, term: 72, apr: 6.99 } };
    const { bus } = mountResults({ listings: [buildListing({ pricingDetail })] }, { flags: withWallet });
    expect(screen.queryByText(/Est\./)).toBeNull();
    act(() => bus.emit('payments.showRequested', { show: true }, 'filters'));
    expect(screen.getByText('Est. $512/mo')).toBeVisible();
    const wallet = { monthlyBudget: 600, downPayment: 6_000, termMonths: 48, aprPercent: 0, tradeInValue: 0 };
    act(() => bus.emit('wallet.changed', { wallet }, 'leads'));
    expect(screen.getByText('Est. $500/mo')).toBeVisible();
    act(() => bus.emit('payments.showRequested', { show: false }, 'filters'));
    expect(screen.queryByText(/Est\./)).toBeNull();
    expect(screen.getByText('$30,000')).toBeVisible();
  });

  // rows: B9-PAYMENT-01
  it("shows payments by the terms of the search's payment filter rather than the wallet's", () => {
    const pricingDetail = { derivedPrice: 30_000, payments: { monthly: 512, term: 72, apr: 6.99 } };
    const { criteria } = buildState().search;
    const search = {
      listings: [buildListing({ pricingDetail })],
      criteria: { ...criteria, filters: { monthlyPayment: ['500-6000-60-0'] } },
    };
    const { bus } = mountResults(search, { flags: withWallet });
    expect(screen.getByText('Est. $400/mo')).toBeVisible();
    const wallet = { monthlyBudget: 600, downPayment: 6_000, termMonths: 48, aprPercent: 0, tradeInValue: 0 };
    act(() => bus.emit('wallet.changed', { wallet }, 'leads'));
    expect(screen.getByText('Est. $400/mo')).toBeVisible();
  });

  // rows: B6-FLAG-11
  it('opens the payment terms from the payment unless the popover is off', async () => {
    const pricingDetail = { derivedPrice: 30_000, payments: { monthly: 512, term: 72, apr: 6.99 } };
    const search = { listings: [buildListing({ pricingDetail })] };
    const { payloads, unmount } = mountResults(search, { showsPayments: true, flags: withWallet });
    await userEvent.click(screen.getByRole('button', { name: /^Est\. \$512\/mo/ }));
    expect(payloads('dialog.requested')).toEqual([{ name: 'wallet', listingId: '1001' }]);
    unmount();
    mountResults(search, { showsPayments: true, flags: { ...withWallet, paymentsPopover: false } });
    expect(screen.getByText('Est. $512/mo')).toBeVisible();
    expect(screen.queryByRole('button', { name: /^Est\./ })).toBeNull();
  });

  // rows: B6-FLAG-02
  it('shows no payment without the wallet, even if payments were turned on before', () => {
    const pricingDetail = { derivedPrice: 30_000, payments: { monthly: 512, term: 72, apr: 6.99 } };
    mountResults({ listings: [buildListing({ pricingDetail })] }, { showsPayments: true });
    expect(screen.getByText('$30,000')).toBeVisible();
    expect(screen.queryByText(/Est\./)).toBeNull();
    expect(screen.queryByRole('button', { name: /change the terms/ })).toBeNull();
  });

  // rows: B9-MISC-01, B1-OFFER-06
  it('shows at most two certified tiles, which open the program', async () => {
    const tile = (tileSubType: string, tileType = 'CERTIFIED') => ({
      tileType,
      tileSubType,
      image: '/t.svg',
    });
    const productTiles = [tile('A'), tile('B'), tile('C'), tile('ONE_OWNER', 'HISTORY')];
    const { payloads } = mountResults({
      listings: [buildListing({ productTiles, certifiedProduct: 'FORD_CERTIFIED' })],
    });
    const programs = screen.getAllByRole('button', { name: /^Certified program/ });
    expect(programs).toHaveLength(2);
    expect(screen.getByText('One owner')).toBeVisible();
    if (programs[0]) await userEvent.click(programs[0]);
    expect(payloads('dialog.requested')).toEqual([
      { name: 'certifiedProgram', listingId: '1001', productId: 'FORD_CERTIFIED' },
    ]);
  });

  it('names the certified program once, as the condition', async () => {
    const productTiles = [{ tileType: 'CERTIFIED', tileSubType: 'FORD_CERTIFIED' }];
    const { payloads } = mountResults({
      listings: [
        buildListing({ listingType: 'CERTIFIED', productTiles, certifiedProduct: 'FORD_CERTIFIED' }),
      ],
    });
    expect(screen.getAllByText(/Certified/)).toHaveLength(1);
    await userEvent.click(screen.getByRole('button', { name: /^Certified program/ }));
    expect(payloads('dialog.requested')).toMatchObject([{ productId: 'FORD_CERTIFIED' }]);
  });

  // rows: A2-UI-09
  it('opens the dealer difference from the menu', async () => {
    const owner = buildOwner({ dealerDiff: { tagline: 'Free oil changes', contentId: 'd1' } });
    const { payloads } = mountResults({ owners: { d1: owner } });
    await openMenus();
    await userEvent.click(screen.getByRole('button', { name: /^Free oil changes/ }));
    expect(payloads('dialog.requested')).toEqual([
      { name: 'dealerDifference', listingId: '1001', ownerId: 'd1' },
    ]);
  });

  it('closes the menu on Escape, with the focus on its opener, and on a press elsewhere', async () => {
    mountResults();
    const menu = document.querySelector('article details')!;
    await openMenus();
    screen.getByRole('button', { name: /^Share/ }).focus();
    await userEvent.keyboard('{Escape}');
    expect(menu).not.toHaveAttribute('open');
    expect(menu.querySelector('summary')).toHaveFocus();
    await openMenus();
    fireEvent.pointerDown(screen.getByRole('button', { name: /^Share/ }));
    expect(menu).toHaveAttribute('open');
    fireEvent.pointerDown(document.body);
    expect(menu).not.toHaveAttribute('open');
  });

  describe('cards of the online-commerce program', () => {
    const esntial = { eligibilityService: '/eligible', ecommWebsite: 'https://shop.example/buy/1' };
    const listing = buildListing({ esntial, website: { href: 'https://dealer.example' } });
    const mountProgram = (eligible: boolean, search: Parameters<typeof mountResults>[0] = {}) =>
      mountResults({ listings: [listing], ...search }, {}, { esntialEligibility: () => ({ eligible }) });
    const scrollIntoView = () =>
      act(async () =>
        FakeIntersections.all
          .flatMap((observer) => [...observer.elements])
          .forEach((element) => FakeIntersections.all.forEach((observer) => observer.show(element))),
      );

    // rows: B4-ESN-01
    it('keeps the website action while the vehicle is eligible', async () => {
      mountProgram(true);
      await scrollIntoView();
      expect(screen.getByRole('link', { name: /^Buy Online/ })).toHaveAttribute('href', esntial.ecommWebsite);
    });

    it('keeps its main button when the shop answers, and has the shop first once it is shown again', async () => {
      const main = () => [...document.querySelectorAll('article .primary')].map((each) => each.textContent);
      const { store } = mountProgram(true);
      const button = screen.getByRole('button', { name: /^Email Seller/ });
      await scrollIntoView();
      expect(button).toBeInTheDocument();
      expect(main()).toEqual(['Email Seller']);
      expect(screen.getByRole('link', { name: /^Buy Online/ }).closest('details')).not.toBeNull();
      const { requestId, status: _, ...page } = store.getState().search;
      const show = (shown: typeof page.listings) =>
        act(async () => void store.dispatch(searchLoaded({ requestId, page: { ...page, listings: shown } })));
      await show([]);
      await show([listing]);
      expect(main()).toEqual(['Buy Online']);
    });

    // rows: B4-ESN-02
    it('shows no website action while the vehicle is not eligible', async () => {
      mountProgram(false);
      await scrollIntoView();
      expect(screen.queryByRole('link', { name: /^(Buy Online|Visit Website)/ })).toBeNull();
    });
  });

  it('puts name and trim on separate lines that screen readers announce as one title', () => {
    mountResults();
    const link = screen.getByRole('link', { name: TITLE });
    expect(link.textContent).toBe('2021 Ford F-150\nXLT');
    expect(screen.getByRole('article', { name: '2021 Ford F-150 XLT' })).toContainElement(link);
  });
});
