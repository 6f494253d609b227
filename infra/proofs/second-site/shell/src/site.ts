import { libraryState } from '@forecourt/library/state';
import {
  escapeHtml,
  type EngineAdapters,
  type EngineParts,
  type Site,
  type SiteRoutes,
  slotPage,
} from '@forecourt/shell/engine';
import { Router } from 'express';
import { booksPage } from './booksPage.ts';
import { SITE_PLAN } from './sitePlan.ts';

/** Readers have no accounts: everyone is the same visitor, who changes with each browser. */
const READER = {
  session: { reader: null },
  isBot: false,
  isSignedIn: false,
  accountKey: undefined,
  consumerId: '',
};

export const librarySite: Site = {
  ...SITE_PLAN,
  ownSlots: {},
  policy: { formTargets: [], connectTargets: [] },
  visitors: {
    read: ({ ip = '', headers }) => ({ ...READER, id: `${ip} ${headers['user-agent'] ?? ''}` }),
    resolve: (visitor) => Promise.resolve(visitor),
    hasSession: () => false,
    idToken: () => Promise.resolve(undefined),
  },
  plainSlot: (slot, { books }) =>
    slot === 'books'
      ? `<ul>${books.list.map(({ title }) => `<li>${escapeHtml(title)}</li>`).join('')}</ul>`
      : undefined,
  emptyState: (page, { session }) => ({ ...libraryState.initial, page, session }),
  titleOf: (title) => `${title} | City Library`,
  browserCalls: { signInPath: '', addParams: () => ({}), limit: (_request, _response, next) => next() },
  pageEvents: { fields: {}, types: [], receive: () => {} },
  isReady: () => true,
};

export const libraryRoutes =
  ({ logger }: Pick<EngineAdapters, 'logger'>) =>
  ({ page, measured, limited, renders }: EngineParts): SiteRoutes => ({
    pages: {
      paths: /^\/library\/books$/,
      allPaths: ['/library/books'],
      handlers: [measured('books'), ...limited, page(booksPage, { isCached: true })],
    },
    files: Router(),
    shared: Router(),
    visitor: Router().get(
      '/library/book/:id',
      measured('book'),
      ...renders,
      page(slotPage({ site: librarySite, logger }, 'book')),
    ),
  });
