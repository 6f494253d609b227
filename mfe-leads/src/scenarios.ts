import { FLAGS, type BrandCode } from '@forecourt/search/brands';
import type { SearchState, SessionState } from '@forecourt/search/state';
import { buildListing, buildOwner, buildState } from '@forecourt/search/testing';
import {
  defineScenarios,
  emitEvent,
  withSteps,
  press,
  waitFor,
  typeInto,
  type Scenario,
} from '@forecourt/slots/testing';
import type { CallParams } from '@forecourt/upstream/calls';
import emailCapture from './slots/email-capture.tsx';
import leadWidget from './slots/lead-widget.tsx';
import leads from './slots/leads.tsx';
import savedSearches from './slots/saved-searches.tsx';
import savedVehicles from './slots/saved-vehicles.tsx';

const TEXTS = {
  heading: 'Used Ford Trucks for Sale in Chicago, IL',
  title: '',
  description: '',
  canonicalUrl: '',
};
const LONG_NAME =
  'The Original Lakeside Chrysler Dodge Jeep Ram & Commercial Truck Center of Greater Chicago';
const long = {
  listings: [
    buildListing({
      title: '2023 Mercedes-Benz Sprinter 3500 XD Crew 170" Wheelbase Extended High Roof Cargo Van',
    }),
  ],
  owners: { d1: buildOwner({ name: LONG_NAME }) },
  texts: {
    ...TEXTS,
    heading:
      'Certified Pre-Owned Mercedes-Benz Sprinter 3500 Extended Cargo Vans for Sale in Rancho Santa Margarita, CA',
  },
};
const withoutPhone = {
  listings: [buildListing({ phone: undefined, images: { primary: 0, sources: [] }, pricingDetail: {} })],
  owners: { d1: buildOwner({ phone: undefined }) },
};

const EMPTY_PROFILE = { firstName: '', lastName: '', email: '', phone: '', isOneClickOptedIn: false };
const ADA = { firstName: 'Ada', lastName: 'Byron', fromEmailAddress: 'ada@example.com' };
const CALLS = {
  leadCandidates: () => ({ candidates: [], profile: EMPTY_PROFILE }),
  savedListings: () => ({ savedListings: [] }),
  emailOwner: () => ({ status: 'SUCCESS' }),
  shareListing: () => null,
  reportListing: () => null,
  emailCapture: () => ({ status: 'success' }),
  subscribeAlert: () => ({ subscribed: true, alertId: 'a1' }),
} as const;
const bookmark = (bookmarkId: string, bookmarkTitle: string) => ({
  bookmarkId,
  bookmarkTitle,
  searchName: bookmarkTitle,
  lastExecuted: '2026/06/5 10:00:00',
  searchResultsURL: encodeURIComponent(JSON.stringify({ makeCode: 'FORD', sortBy: 'relevance' })),
  textModalDisclaimer: '',
  saveSearchInstrText: '',
});
const SAVED_CALLS = {
  bookmarks: () => ({ myAtcSearchViewBeans: [bookmark('b1', 'Used Ford'), bookmark('b2', LONG_NAME)] }),
  emailAlerts: () => ({
    alerts: [
      {
        alertId: 'a1',
        emailAddress: 'ada@example.com',
        brand: 'atc',
        search: 'makeCode=KIA',
        title: 'Kia',
        createdAt: 1,
      },
    ],
  }),
  savedListings: () => ({
    savedListings: [
      { listingId: '1001', savedAt: 2, savedPrice: 35_000 },
      { listingId: '9999', savedAt: 1 },
    ],
  }),
  listing: ({ id }: CallParams) =>
    id === '9999'
      ? Promise.reject(Object.assign(new Error('gone'), { code: 'REFUSED' }))
      : { listing: buildListing(), owner: buildOwner() },
  vehicle: ({ id }: CallParams) => (id === '1001' ? { listing: buildListing(), owner: buildOwner() } : null),
  vehicleModel: ({ id }: CallParams) =>
    id === '9999'
      ? {
          makeCode: 'KIA',
          modelCode: 'SOUL',
          removedDays: 3,
          removed: { title: '2019 Kia Soul', price: 9_000 },
        }
      : null,
} as const;
const never = () => new Promise(() => {});
const failing = (status: number) => () =>
  Promise.reject(Object.assign(new Error(`responded ${status}`), { status }));

type Overrides = {
  readonly calls?: Scenario['calls'];
  readonly search?: Partial<SearchState>;
  readonly session?: Partial<SessionState>;
};
const scenario =
  (module: typeof leads) =>
  (
    name: string,
    steps: readonly ReturnType<typeof press>[],
    { calls, search, session }: Overrides = {},
  ): Scenario => ({
    name,
    module: withSteps(module, ...steps),
    state: buildState(
      { texts: TEXTS, url: '/cars-for-sale/all/ford?zip=60601', ...search },
      { flags: FLAGS, ...session },
    ),
    calls: { ...CALLS, ...calls },
  });
/** `played` skips `load`, which the main slot of a page needs. */
const page = (
  kind: 'saved-searches' | 'saved-vehicles',
  name: string,
  calls: NonNullable<Scenario['calls']> = {},
  query = '',
  session: Partial<SessionState> = {},
): Scenario => ({
  name,
  module: kind === 'saved-searches' ? savedSearches : savedVehicles,
  state: {
    ...buildState({}, { signedIn: true, ...session }),
    page: { kind, url: `/account/${kind}${query}`, referrer: null },
  },
  calls: { ...SAVED_CALLS, ...calls },
});
const dialog = scenario(leads);
const capture = scenario(emailCapture);
const widget = scenario(leadWidget);

/** Signed in: emails go from the account's address. */
const VISITOR = { signedIn: true, account: { firstName: 'Ada', email: 'ada@example.com' } };

const SEND = 'form button[type="submit"]:enabled';
const dialogOpened = waitFor('dialog[open] form');
const email = [emitEvent('lead.requested', { listingId: '1001', kind: 'email' }), dialogOpened];
const sentEmail = [...email, typeInto(ADA), press(SEND)];
const share = [emitEvent('listing.shareRequested', { listingId: '1001' }), dialogOpened];
const report = [emitEvent('listing.reportRequested', { listingId: '1001' }), dialogOpened];
const named = (name: 'wallet' | 'emailSearch' | 'electricVehicles') =>
  emitEvent('dialog.requested', { name });
const notification = [emitEvent('notification.requested', {}), waitFor('dialog[open]')];
const signIn = [
  emitEvent('signIn.requested', { reason: 'saveListing', screen: 'signIn', listingId: '1001' }),
  waitFor('dialog[open] a'),
];
const subscribed = [waitFor(SEND), typeInto({ emailAddress: 'ada@example.com' }), press(SEND)];
const widgetFilled = [waitFor(SEND), typeInto({ ...ADA, zip: '60601' }), press(SEND)];
const ALERT = waitFor('[role="alert"]');
const eachBrand = (make: (brand: BrandCode) => Scenario) => (['atc', 'kbb', 'oem'] as const).map(make);

/** States of every slot for the standalone page and the tests. */
export default defineScenarios([
  dialog('email', email),
  dialog('email-with-errors', [...email, press(SEND), waitFor('[aria-invalid="true"]')]),
  dialog('email-sending', [...sentEmail, waitFor('form[aria-busy="true"]')], {
    calls: { emailOwner: never },
  }),
  dialog('email-failed', [...sentEmail, ALERT], { calls: { emailOwner: failing(502) } }),
  dialog('email-refused', [...sentEmail, ALERT], { calls: { emailOwner: failing(404) } }),
  dialog('email-sent', [...sentEmail, waitFor('dialog[open] [role="status"]')]),
  dialog('email-with-details-missing', email, {
    calls: {
      leadCandidates: () => ({
        candidates: [],
        profile: { ...EMPTY_PROFILE, firstName: 'Ada', isOneClickOptedIn: true },
      }),
    },
  }),
  dialog('email-long-text', email, { search: long }),
  dialog('email-gone', [
    emitEvent('lead.requested', { listingId: '9999', kind: 'email' }),
    waitFor('dialog[open] a'),
  ]),
  dialog('call', [
    emitEvent('lead.requested', { listingId: '1001', kind: 'call' }),
    waitFor('dialog[open] a'),
  ]),
  dialog(
    'call-without-number',
    [emitEvent('lead.requested', { listingId: '1001', kind: 'call' }), waitFor('dialog[open] p')],
    { search: withoutPhone },
  ),
  dialog('share', share, { session: VISITOR }),
  dialog('share-signed-out', [
    emitEvent('listing.shareRequested', { listingId: '1001' }),
    waitFor('dialog[open] a[href^="mailto:"]'),
  ]),
  dialog('share-failed', [...share, typeInto({ toEmail: 'bob@example.com' }), press(SEND), ALERT], {
    session: VISITOR,
    calls: { shareListing: failing(503) },
  }),
  dialog('report', report),
  dialog('report-with-errors', [
    ...report,
    typeInto({ email: 'ada@' }),
    press(SEND),
    waitFor('[aria-invalid="true"]'),
  ]),
  dialog('report-sent', [
    ...report,
    typeInto({ reason: 'SOLD' }),
    press(SEND),
    waitFor('dialog[open] [role="status"]'),
  ]),
  ...eachBrand((brand) => dialog(`sign-in-${brand}`, signIn, { session: { brand } })),
  dialog('wallet', [named('wallet'), dialogOpened]),
  dialog(
    'wallet-of-a-listing',
    [emitEvent('dialog.requested', { name: 'wallet', listingId: '1001' }), dialogOpened],
    {
      search: long,
      session: {
        wallet: { monthlyBudget: 450, downPayment: 3_000, termMonths: 60, aprPercent: 6.99, tradeInValue: 0 },
      },
    },
  ),
  dialog('wallet-with-errors', [
    named('wallet'),
    dialogOpened,
    typeInto({ monthlyBudget: '', aprPercent: '99' }),
    press(SEND),
    waitFor('[aria-invalid="true"]'),
  ]),
  dialog('email-search', [named('emailSearch'), dialogOpened], { search: long }),
  dialog('electric-vehicles', [named('electricVehicles'), waitFor('dialog[open] dt, dialog[open] h3')]),
  dialog('assistant', [emitEvent('dialog.requested', { name: 'assistant' })]),
  ...eachBrand((brand) => dialog(`notifications-${brand}`, notification, { session: { brand } })),
  capture('capture', []),
  capture('capture-signed-in', [], { session: { signedIn: true } }),
  capture('capture-with-error', [waitFor(SEND), press(SEND), waitFor('[aria-invalid="true"]')]),
  capture('capture-sending', [...subscribed, waitFor('form[aria-busy="true"]')], {
    calls: { subscribeAlert: never },
  }),
  capture('capture-subscribed', [...subscribed, waitFor('[data-alert="success"]')]),
  capture('capture-subscribed-before', [...subscribed, waitFor('[data-alert="warning"]')], {
    calls: { subscribeAlert: () => ({ subscribed: true, alertId: 'a1', isNew: false }) },
  }),
  capture('capture-limit', [...subscribed, ALERT], { calls: { subscribeAlert: failing(409) } }),
  capture('capture-outage', [...subscribed, ALERT], {
    calls: { subscribeAlert: failing(503) },
    search: long,
  }),
  widget('lead-widget', []),
  widget('lead-widget-with-errors', [waitFor(SEND), press(SEND), waitFor('[aria-invalid="true"]')]),
  widget('lead-widget-failed', [...widgetFilled, ALERT], {
    calls: { emailOwner: failing(502) },
    search: long,
  }),
  widget('lead-widget-sent', [...widgetFilled, waitFor('[role="status"]')]),
  widget('lead-widget-without-dealer', [], {
    search: { owners: { d1: buildOwner({ privateSeller: true }) } },
  }),
  page('saved-searches', 'saved-searches'),
  page('saved-searches', 'saved-searches-renamed', {}, '?done=renamed'),
  page('saved-searches', 'saved-searches-refused', {}, '?refused=b1&title='),
  page('saved-searches', 'saved-searches-empty', {
    bookmarks: () => ({ myAtcSearchViewBeans: [] }),
    emailAlerts: () => ({ alerts: [] }),
  }),
  page('saved-searches', 'saved-searches-unavailable', { bookmarks: () => ({ error: 'Request timed out' }) }),
  page('saved-vehicles', 'saved-vehicles'),
  page('saved-vehicles', 'saved-vehicles-failed', {}, '?done=failed'),
  page('saved-vehicles', 'saved-vehicles-empty', { savedListings: () => ({ savedListings: [] }) }),
  page('saved-vehicles', 'saved-vehicles-unavailable', {
    savedListings: () => ({ error: 'Request timed out' }),
  }),
  page('saved-vehicles', 'saved-vehicles-in-browser', {}, '', {
    signedIn: false,
    savedListingIds: ['1001', '9999', '9998'],
  }),
  page('saved-vehicles', 'saved-vehicles-in-browser-empty', {}, '', { signedIn: false }),
]);
