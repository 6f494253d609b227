import type { ReactNode } from 'react';
import { DEFAULT_PATH } from '@forecourt/search/criteria';
import type { RootState } from '@forecourt/search/state';
import { type PageHead, usePageState } from '@forecourt/slots';
import styles from './SavedPage.module.css';

/** Result of the form that redirected here, by its `done` parameter. */
const DONE_MESSAGES: Readonly<Record<string, string>> = {
  renamed: 'Search renamed.',
  deleted: 'Search deleted.',
  restored: 'Search saved again.',
  subscribed: 'We’ll email you new matches of this search.',
  ended: "You won't get any more emails for this search.",
  removed: 'Vehicle removed from your saved vehicles.',
  failed: 'Something went wrong, and nothing was changed. Please try again.',
};

export const queryOf = ({ page }: RootState): URLSearchParams =>
  new URLSearchParams(page.url.slice(page.url.indexOf('?') + 1));

/** Head of a saved-items page. These pages are private, so they are never indexed. */
export const savedPageHead = (title: string, path: string, isAvailable: boolean): PageHead => ({
  title: isAvailable ? title : `${title} are temporarily unavailable`,
  description: `${title} in your account.`,
  canonical: path,
  isIndexed: false,
  status: isAvailable ? 200 : 503,
});

/** Back link, heading, and the result of the last form. */
export function SavedPage(props: {
  title: string;
  /** Undoes what the last form did. */
  undo?: ReactNode;
  children: ReactNode;
}): ReactNode {
  const { title, undo, children } = props;
  const signedIn = usePageState(({ session }) => session.signedIn);
  const result = usePageState((state) => queryOf(state).get('done')) ?? '';
  const message = Object.hasOwn(DONE_MESSAGES, result) ? DONE_MESSAGES[result] : undefined;
  return (
    <>
      <nav className={styles['back']} aria-label="Back">
        {signedIn ? <a href="/account">‹ Your account</a> : <a href={DEFAULT_PATH}>‹ Cars for Sale</a>}
      </nav>
      <div className={styles['head']}>
        <h1 className={styles['title']}>{title}</h1>
        {message && (
          <div className={styles['status']} data-failed={result === 'failed' || undefined}>
            <p role="status">{message}</p>
            {undo}
          </div>
        )}
      </div>
      {children}
    </>
  );
}
