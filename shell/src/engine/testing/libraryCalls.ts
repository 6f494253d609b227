import type { CallDefinition } from '@forecourt/upstream/callDefinition';
import { z } from 'zod';
import type { CallContext, Gateway, ResponseSource } from '../gateway/gateway.ts';

const book = z.object({ isbn: z.string(), title: z.string(), year: z.number().optional() });
const shelf = z.object({ books: z.array(book), total: z.number().optional() });

const OPTIONAL = { method: 'GET', browser: true, timeoutMs: 3_000, resetMs: 30_000 } as const;
const NO_BOOKS = { kind: 'empty', value: { books: [] } } as const;

/** The upstream calls of the library. */
export const LIBRARY_CALLS = {
  /** The only required one. */
  shelf: {
    ...OPTIONAL,
    service: 'catalog',
    path: '/catalog/shelf',
    timeoutMs: 20_000,
    fallback: { kind: 'required' },
    response: shelf,
  },
  recommendations: {
    ...OPTIONAL,
    service: 'catalog',
    path: '/catalog/recommendations',
    fallback: NO_BOOKS,
    response: shelf,
  },
  newBooks: {
    ...OPTIONAL,
    service: 'catalog',
    path: '/catalog/new',
    fallback: NO_BOOKS,
    response: shelf,
  },
  book: {
    ...OPTIONAL,
    service: 'catalog',
    path: '/catalog/books/{isbn}',
    fallback: { kind: 'required' },
    response: z.object({ book }),
  },
  count: {
    ...OPTIONAL,
    service: 'catalog',
    path: '/catalog/count',
    fallback: { kind: 'empty', value: { total: 0 } },
    response: z.object({ total: z.number() }),
  },
  branch: {
    ...OPTIONAL,
    service: 'branch',
    path: '/branches/{branch}',
    fallback: { kind: 'empty', value: { isKnown: false } },
    response: z.discriminatedUnion('isKnown', [
      z.object({ isKnown: z.literal(true), city: z.string() }),
      z.object({ isKnown: z.literal(false) }),
    ]),
  },
  history: {
    ...OPTIONAL,
    service: 'reader',
    path: '/readers/history',
    caller: 'visitor',
    fallback: { kind: 'empty', value: { books: [] } },
    response: shelf,
  },
  loans: {
    ...OPTIONAL,
    service: 'reader',
    path: '/readers/loans',
    caller: 'account',
    fallback: NO_BOOKS,
    response: shelf,
  },
  borrow: {
    ...OPTIONAL,
    method: 'POST',
    service: 'reader',
    path: '/readers/loans',
    caller: 'account',
    fallback: { kind: 'error', tail: '/loans' },
    response: z.object({ status: z.string() }),
  },
  ask: {
    ...OPTIONAL,
    method: 'POST',
    service: 'desk',
    path: '/desk/questions',
    fallback: { kind: 'empty', value: { status: 'FAILURE' } },
    body: z.object({ isbn: z.string() }),
    response: z.object({ status: z.string() }),
  },
} as const satisfies Record<string, CallDefinition>;

export type LibraryCall = keyof typeof LIBRARY_CALLS;
export const LIBRARY_CALL_NAMES = Object.keys(LIBRARY_CALLS) as LibraryCall[];
type LibraryResponses = { [N in LibraryCall]: z.output<(typeof LIBRARY_CALLS)[N]['response']> };
type Params = Readonly<Record<string, string>> | URLSearchParams;

/** A gateway with the library's calls: this program's own types are those of another site. */
export interface LibraryGateway {
  readonly call: <N extends LibraryCall>(
    name: N,
    params: Params,
    context: CallContext,
  ) => Promise<LibraryResponses[N]>;
  readonly request: <N extends LibraryCall>(
    name: N,
    params: Params,
    context: CallContext,
  ) => Promise<{ readonly data: LibraryResponses[N]; readonly source: ResponseSource }>;
}
export const asLibraryGateway = (gateway: Gateway): LibraryGateway => gateway as unknown as LibraryGateway;
