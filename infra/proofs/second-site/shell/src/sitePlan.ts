import { ROOT } from '@forecourt/library';
import contract from '@forecourt/library/package.json' with { type: 'json' };
import { LIBRARY_EVENTS, libraryState } from '@forecourt/library/state';
import type { RecordedPage, SitePlan } from '@forecourt/shell/engine';
import { z } from 'zod';
import { frame, messages } from './frame.ts';
import { RELEASE_SITE } from './releaseSite.ts';

const reserve = { narrow: '20rem', wide: '20rem' } as const;

const desk = {
  slot: 'desk',
  source: { remote: 'mfe-desk' },
  criticality: 'optional',
  deadlineMs: 1000,
  hydrate: 'load',
  reserve: { narrow: '3rem', wide: '3rem' },
  mayRead: ['books.list', 'desk'],
} as const;

const catalog = {
  source: { remote: 'mfe-catalog' },
  criticality: 'required',
  deadlineMs: 5000,
  hydrate: 'load',
  reserve,
} as const;

const bookSchema = z.object({ id: z.string(), title: z.string(), author: z.string(), genre: z.string() });

const EMMA = { id: 'emma', title: 'Emma', author: 'Jane Austen', genre: 'novels' };

/** What the gate renders releases on: a list with a book, and the page of that book. */
const recordedPages = (): RecordedPage[] =>
  [`${ROOT}/books`, `${ROOT}/book/emma`].map((url) => ({
    name: url,
    url,
    state: {
      ...libraryState.initial,
      page: { kind: url.split('/')[2] ?? '', url, referrer: null },
      books: { genre: null, list: [EMMA] },
    },
    answers: { books: [EMMA] },
    isShown: true,
  }));

/** The library, as its engine is opened: pages of books, made of the slots of two remotes. */
export const SITE_PLAN: SitePlan = {
  ...RELEASE_SITE,
  root: ROOT,
  homePath: `${ROOT}/books`,
  events: Object.keys(LIBRARY_EVENTS),
  contracts: { [contract.name]: contract.version },
  releasePolicy: {
    pageSlots: ['book'],
    budgets: { remotes: {}, preset: { bytes: 20_000, reason: 'a list of links' } },
  },
  layouts: {
    books: [
      { ...catalog, slot: 'books', mayRead: ['books.genre', 'books.list'] },
      desk,
      { ...desk, slot: 'notice', isolation: 'frame', hydrate: 'visible', mayRead: [] },
    ],
    book: [{ ...catalog, slot: 'book', isPage: true, mayRead: ['page'], calls: ['books'] }],
  },
  permissions: {
    common: { emits: ['problem.reported'], hears: [] },
    bySlot: { books: { emits: ['book.chosen'] } },
  },
  calls: {
    books: {
      method: 'GET',
      service: 'library',
      path: '/books',
      timeoutMs: 2000,
      resetMs: 30_000,
      fallback: { kind: 'required' },
      browser: false,
      response: z.array(bookSchema),
    },
  },
  recordedPages,
  frame,
  messages,
  personal: { without: (state) => state, part: () => undefined },
  programPaths: [],
  speculationRules: {},
};
