// Registers the library's types wherever its paths are used.
import type {} from './state.ts';

export type { Book, LibraryState } from './state.ts';

export const ROOT = '/library';
export const GENRES = ['novels', 'poetry', 'plays'] as const;

export const bookPath = (id: string): string => `${ROOT}/book/${id}`;

/** The list of books: of one genre, or all; `chosen` is the book that the reader wants to borrow. */
export function booksPath(genre: string | null, chosen: string | null = null): string {
  const query = new URLSearchParams({ ...(genre && { genre }), ...(chosen && { chosen }) }).toString();
  return `${ROOT}/books${query && `?${query}`}`;
}
