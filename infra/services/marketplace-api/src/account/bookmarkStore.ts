import { randomUUID } from 'node:crypto';
import type { Bookmark } from '@forecourt/shared-contracts/entities';
import { formatLastExecuted } from '@forecourt/shared-contracts/rules';
import type { Db } from '../store/database.ts';
import type { BookmarkForm } from '../http/callTypes.ts';

/** Bookmarks of one account; what is above it is refused. */
export const MAX_BOOKMARKS = 200;

/** A bookmark stands under somebody else's name, or there are too many. */
export class BookmarkRefused extends Error {
  readonly code: 'BOOKMARK_NOT_FOUND' | 'LIMIT';
  constructor(code: BookmarkRefused['code']) {
    super(code);
    this.code = code;
  }
}

export interface BookmarkStore {
  /** Makes a bookmark or replaces the account's own of the same id, so that a repeat changes nothing. */
  save(account: string, form: BookmarkForm): Bookmark;
  rename(account: string, id: string, title: string): Bookmark | undefined;
  /** True when there was one. */
  remove(account: string, id: string): boolean;
  own(account: string, id: string): Bookmark | undefined;
  /** Whoever knows the id may read it: ids cannot be guessed. */
  shared(id: string): Bookmark | undefined;
  /** Newest first. */
  list(account: string): Bookmark[];
}

interface Row {
  readonly bookmark_id: string;
  readonly account: string;
  readonly title: string;
  readonly search_name: string;
  readonly last_executed: string;
  readonly search_results_url: string;
}

const toBookmark = (row: Row): Bookmark => ({
  bookmarkId: row.bookmark_id,
  bookmarkTitle: row.title,
  searchName: row.search_name,
  lastExecuted: row.last_executed,
  searchResultsURL: row.search_results_url,
  textModalDisclaimer: 'Saved searches stay in your account until you delete them.',
  saveSearchInstrText: 'Open it from your account, or share its link.',
});

export function createBookmarkStore(db: Db, now: () => number = Date.now): BookmarkStore {
  const upsert = db.prepare(
    `INSERT INTO bookmarks (bookmark_id, account, title, search_name, last_executed, search_results_url, created_at)
     VALUES (@id, @account, @title, @searchName, @lastExecuted, @url, @at)
     ON CONFLICT (bookmark_id) DO UPDATE SET title = @title, search_name = @searchName,
       last_executed = @lastExecuted, search_results_url = @url`,
  );
  const byId = db.prepare<[string], Row>('SELECT * FROM bookmarks WHERE bookmark_id = ?');
  const ofAccount = db.prepare<[string], Row>(
    'SELECT * FROM bookmarks WHERE account = ? ORDER BY created_at DESC, bookmark_id',
  );
  const count = db.prepare<[string], number>('SELECT count(*) FROM bookmarks WHERE account = ?').pluck();
  const rename = db.prepare('UPDATE bookmarks SET title = ? WHERE bookmark_id = ? AND account = ?');
  const remove = db.prepare('DELETE FROM bookmarks WHERE bookmark_id = ? AND account = ?');
  const own = (account: string, id: string) => {
    const row = byId.get(id);
    return row?.account === account ? toBookmark(row) : undefined;
  };

  return {
    save: (account, form) =>
      db
        .transaction(() => {
          const id = form.bookmarkId || randomUUID();
          const present = byId.get(id);
          if (present && present.account !== account) throw new BookmarkRefused('BOOKMARK_NOT_FOUND');
          if (!present && count.get(account)! >= MAX_BOOKMARKS) throw new BookmarkRefused('LIMIT');
          upsert.run({
            id,
            account,
            title: form.bookmarkTitle,
            searchName: form.searchName || form.bookmarkTitle,
            lastExecuted: form.lastExecuted || formatLastExecuted(new Date(now())),
            url: form.searchResultsURL,
            at: now(),
          });
          return toBookmark(byId.get(id)!);
        })
        .immediate(),
    rename: (account, id, title) =>
      rename.run(title, id, account).changes > 0 ? own(account, id) : undefined,
    remove: (account, id) => remove.run(id, account).changes > 0,
    own,
    shared: (id) => {
      const row = byId.get(id);
      return row && toBookmark(row);
    },
    list: (account) => ofAccount.all(account).map(toBookmark),
  };
}
