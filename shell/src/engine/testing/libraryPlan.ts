import { defineSlot, type SlotModule, usePageState } from '@forecourt/slots';
import { SLOT_EVENTS } from '@forecourt/slots/events';
import type { SiteState } from '@forecourt/slots/state';
import { createElement } from 'react';
import { z } from 'zod';
import { escapeHtml, inlineStyle } from '../compose/html.ts';
import { engineKeys, type EngineConfig, readEngineConfig } from '../config.ts';
import type { MessagePage, Messages } from '../http/messagePage.ts';
import { contextOf } from '../http/requestContext.ts';
import type { PageLayouts } from '../layout/permissions.ts';
import type { SlotPlacement } from '../layout/placement.ts';
import type { RecordedPage } from '../releases/recordedPage.ts';
import type { Frame, Site } from '../site.ts';
import { LIBRARY_CALLS } from './libraryCalls.ts';
import {
  asPageState,
  buildLibraryState,
  libraryState,
  type LibraryState,
  personalPart,
  withoutPersonal,
} from './libraryState.ts';

// The library on the server: a small site for the engine's tests. Casts, because the types of this program are those of
// the site that registered itself.

const SMALL = { narrow: '10px', wide: '10px' } as const;
const OPTIONAL = { criticality: 'optional', deadlineMs: 400, reserve: SMALL } as const;

/** The reader's dialogs, on every page. */
const LOANS: SlotPlacement = {
  ...OPTIONAL,
  slot: 'loans',
  source: { remote: 'mfe-loans' },
  deadlineMs: 0,
  hydrate: 'afterFirstView',
  mayRead: ['session'],
};

/** The slots of the shelf in document order. */
export const SHELF_LAYOUT: readonly SlotPlacement[] = [
  {
    slot: 'heading',
    source: 'shell',
    criticality: 'required',
    deadlineMs: 300,
    hydrate: 'idle',
    reserve: SMALL,
    mayRead: ['shelf.heading'],
  },
  {
    ...OPTIONAL,
    slot: 'reviews',
    source: { remote: 'mfe-reviews' },
    hydrate: 'afterFirstView',
    mayRead: ['session', 'shelf.sort'],
  },
  {
    ...OPTIONAL,
    slot: 'toolbar',
    source: { remote: 'mfe-catalog' },
    hydrate: 'load',
    mayRead: ['session', 'shelf.books', 'shelf.sort'],
  },
  {
    slot: 'shelf',
    source: { remote: 'mfe-shelf' },
    criticality: 'required',
    deadlineMs: 800,
    hydrate: 'load',
    reserve: SMALL,
    mayRead: ['session', 'shelf.entries', 'shelf.sort'],
  },
  {
    ...OPTIONAL,
    slot: 'filters',
    source: { remote: 'mfe-catalog' },
    hydrate: 'idle',
    mayRead: ['session', 'shelf.filters'],
  },
  {
    ...OPTIONAL,
    slot: 'floor-plan',
    source: { remote: 'mfe-shelf' },
    renderedBy: 'browser',
    hydrate: 'visible',
    mayRead: [],
  },
  LOANS,
];

const mainSlot = (slot: string, remote: string, changes: Partial<SlotPlacement> = {}): SlotPlacement => ({
  slot,
  source: { remote },
  criticality: 'required',
  deadlineMs: 2_000,
  hydrate: 'load',
  reserve: SMALL,
  mayRead: ['page'],
  isPage: true,
  ...changes,
});

const LIBRARY_LAYOUTS: PageLayouts = {
  shelf: SHELF_LAYOUT,
  book: [
    mainSlot('book', 'mfe-shelf', { calls: ['book'] }),
    {
      ...OPTIONAL,
      slot: 'preview',
      source: { remote: 'mfe-shelf' },
      deadlineMs: 0,
      hydrate: 'onEvent',
      mayRead: [],
    },
    LOANS,
  ],
  series: [mainSlot('series', 'mfe-shelf'), LOANS],
  reader: [mainSlot('reader', 'mfe-loans', { mayRead: ['page', 'session'], isPersonal: true })],
};
export const LIBRARY_PLACEMENTS = Object.values(LIBRARY_LAYOUTS).flat();

const recorded = (name: string, state: LibraryState, more: Partial<RecordedPage> = {}): RecordedPage => ({
  name,
  url: '/library/shelf',
  state: asPageState(state),
  answers: { branch: { isKnown: true, city: 'Lisbon' } },
  isShown: false,
  ...more,
});
const ENTRIES = [{ isbn: '1', title: 'Lunch Poems', year: 1964 }];

/** Pages over which the gate renders slots: an empty shelf, an ordinary one, a book of no year with a reader, no calls. */
const RECORDED: readonly RecordedPage[] = [
  recorded('empty', buildLibraryState({ shelf: { books: 0 } }), {
    answers: { branch: { isKnown: false } },
  }),
  recorded('ordinary', buildLibraryState({ shelf: { entries: ENTRIES } }), { isShown: true }),
  recorded(
    'odd',
    buildLibraryState({
      shelf: { entries: [...ENTRIES, { isbn: '2', title: 'The Waste Land' }] },
      session: { isSignedIn: true, reader: 'Ada', email: 'ada@example.com' },
    }),
  ),
  recorded('calls-fail', buildLibraryState({ shelf: { entries: ENTRIES } }), { answers: {} }),
];

const document = (title: string, head: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title>${head}</head><body>${body}`;

const frame: Frame = {
  head: ({ head, origin, style }) =>
    document(
      head.title,
      `<link rel="canonical" href="${escapeHtml(origin + head.canonical)}">` +
        (head.heroImage
          ? `<link rel="preload" as="image" href="${escapeHtml(head.heroImage)}" fetchpriority="high">`
          : '') +
        style.html,
      '',
    ),
  top: ({ currentUrl, banner }) =>
    `${banner}<a href="/sign-in?returnTo=${encodeURIComponent(currentUrl)}">Sign in</a><main>`,
  bottom: () => '</main>',
  before: () => '',
  isAssigned: () => false,
};

const message = (title: string): MessagePage => ({ title, body: `<h1>${title}</h1>` });

const messages: Messages = {
  notFound: message('No such page.'),
  badRequest: message('We couldn’t understand that request.'),
  broken: message('Something went wrong.'),
  unavailable: () => message('This page isn’t available right now.'),
  overloaded: () => message('The library is very busy.'),
  tooManyRequests: () => message('Please wait a minute, then try again.'),
  send(response, page, { css, status, cacheControl = 'no-store' }) {
    const style = inlineStyle(css);
    response
      .set('Content-Security-Policy', contextOf(response.req).policy(style.hash))
      .status(status)
      .set('Cache-Control', cacheControl)
      .type('html')
      .send(`${document(page.title, style.html, page.body)}</body></html>`);
  },
};

function Heading() {
  const { shelf } = usePageState((state) => state as unknown as LibraryState);
  return createElement('h1', null, shelf.heading);
}
const heading: SlotModule = defineSlot({
  reads: ['shelf.heading' as never],
  view: Heading,
});

/** What the engine needs to know of the library before it is created. */
export const LIBRARY_PLAN = {
  root: '/library',
  homePath: '/library/shelf',
  state: libraryState as unknown as SiteState,
  shared: {},
  contracts: {},
  events: [...Object.keys(SLOT_EVENTS), 'book.requested'],
  releasePolicy: {
    pageSlots: ['book', 'series', 'preview'],
    budgets: { remotes: {}, preset: { bytes: 60_000, reason: 'a small site' } },
  },
  layouts: LIBRARY_LAYOUTS,
  permissions: { common: { emits: [], hears: [] }, bySlot: { loans: { emits: ['book.requested'] } } },
  calls: LIBRARY_CALLS,
  recordedPages: () => RECORDED,
  ownSlots: { heading },
  frame,
  messages,
  policy: { formTargets: [], connectTargets: [] },
  plainSlot: () => undefined,
  personal: {
    without: withoutPersonal as unknown as Site['personal']['without'],
    part: personalPart as unknown as Site['personal']['part'],
  },
  titleOf: (title) => `${title} | Library`,
  programPaths: [],
  speculationRules: {},
  isReady: () => true,
} satisfies Partial<Site>;

/** The engine's keys of an environment, for the library. */
export function readLibraryConfig<K extends z.ZodRawShape = Record<never, never>>(
  environment: NodeJS.ProcessEnv,
  extensionKeys?: K,
): EngineConfig & z.infer<z.ZodObject<K>> {
  const schema = z.object({ ...engineKeys(LIBRARY_LAYOUTS), ...extensionKeys });
  return readEngineConfig(schema, environment) as EngineConfig & z.infer<z.ZodObject<K>>;
}
