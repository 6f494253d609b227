import type { ReactNode } from 'react';
import { formatCount, formatNumber } from '@forecourt/search/format';
import { usePageState } from '@forecourt/slots';
import type { AlertFrequency } from '@forecourt/upstream/entities';
import { Button, VisuallyHidden } from '@forecourt/slots/ui';
import { SAVED_SEARCHES_PATH } from '../savedSearch/savedSearch.ts';
import { SavedPage } from './SavedPage.tsx';
import styles from './SavedSearches.module.css';
import { EmptyState } from './EmptyState.tsx';
import { Unavailable } from './Unavailable.tsx';

export const SAVED_SEARCHES_TITLE = 'Saved searches';

export interface SavedSearch {
  readonly bookmarkId: string;
  readonly title: string;
  /** Path and query of the search. */
  readonly url: string;
  /** As the account stores it: needed to save it again. */
  readonly stored: string;
  /** 'June 5, 2026'; empty when the stored date cannot be parsed. */
  readonly savedOn: string;
  /** Undefined when the search is not answered in time. */
  readonly matches: SearchMatches | undefined;
  /** Emails about its new matches. */
  readonly alert: SearchAlert | undefined;
}

/** What a saved search finds now. */
export interface SearchMatches {
  readonly total: number;
  /** Since the shopper last opened it, or else saved it; undefined if that is unknown. */
  readonly newCount: number | undefined;
  readonly since: 'saved' | 'opened';
  /** There may be more new ones than were counted. */
  readonly isAtLeast: boolean;
}

interface SearchAlert {
  readonly alertId: string;
  readonly title: string;
  readonly url: string;
  readonly emailAddress: string;
  readonly frequency: AlertFrequency;
}

export interface SavedSearchesData {
  readonly searches: readonly SavedSearch[];
  /** Of searches that are not saved. */
  readonly alerts: readonly SearchAlert[];
  /** The server left out late alerts: the browser loads them. */
  readonly isPartial: boolean;
  /** A rename that failed validation, with the title as typed. */
  readonly refused: { readonly bookmarkId: string; readonly title: string; readonly reason: string } | null;
}

/** A plain HTML form, so that the page works without JavaScript. */
function ActionForm(props: {
  action: 'rename' | 'delete' | 'restore' | 'alert';
  id?: string;
  children: ReactNode;
}): ReactNode {
  return (
    <form method="post" action={SAVED_SEARCHES_PATH} className={styles['form']}>
      <input type="hidden" name="action" value={props.action} />
      {props.id !== undefined && <input type="hidden" name="id" value={props.id} />}
      {props.children}
    </form>
  );
}

function RenameForm({ search, refused }: { search: SavedSearch; refused: SavedSearchesData['refused'] }) {
  const { bookmarkId, title } = search;
  const fieldId = `name-${bookmarkId}`;
  return (
    <details open={refused !== null}>
      <summary>
        Rename<VisuallyHidden> {title}</VisuallyHidden>
      </summary>
      <ActionForm action="rename" id={bookmarkId}>
        <label htmlFor={fieldId}>New name</label>
        <input
          id={fieldId}
          name="title"
          className={styles['name']}
          maxLength={120}
          required
          defaultValue={refused?.title ?? title}
          aria-invalid={refused ? true : undefined}
          aria-describedby={refused ? `${fieldId}-error` : undefined}
          // The shopper was typing here when the form was refused.
          // eslint-disable-next-line jsx-a11y/no-autofocus
          autoFocus={refused !== null}
        />
        {refused && (
          <p id={`${fieldId}-error`} className={styles['error']}>
            {refused.reason}
          </p>
        )}
        <Button type="submit" look="primary">
          Save name
        </Button>
      </ActionForm>
    </details>
  );
}

/** '82 matches, 3 new since you last looked'. */
function matchesText({ total, newCount, isAtLeast, since }: SearchMatches): string {
  const all = formatCount(total, 'match', 'matches');
  if (!newCount) return all;
  return `${all}, ${formatNumber(newCount)}${isAtLeast ? ' or more' : ''} new since you ${since === 'opened' ? 'last looked' : 'saved it'}`;
}

function SearchItem({ search, refused }: { search: SavedSearch; refused: SavedSearchesData['refused'] }) {
  const { bookmarkId, title, url, stored, savedOn, matches, alert } = search;
  return (
    <li className={styles['item']}>
      <h2>
        <a href={`${SAVED_SEARCHES_PATH}/${bookmarkId}`}>{title}</a>
      </h2>
      {matches && <p>{matchesText(matches)}</p>}
      {savedOn && <p className={styles['small']}>Saved {savedOn}</p>}
      <AlertSwitch title={title} url={url} alert={alert} />
      <RenameForm search={search} refused={refused?.bookmarkId === bookmarkId ? refused : null} />
      <div className={styles['actions']}>
        <a href={`/cars-for-sale/all-cars?bookmarkId=${bookmarkId}`}>
          Share<VisuallyHidden> {title}</VisuallyHidden>
        </a>
        <ActionForm action="delete" id={bookmarkId}>
          <input type="hidden" name="title" value={title} />
          <input type="hidden" name="search" value={stored} />
          <Button type="submit">
            Delete<VisuallyHidden> {title}</VisuallyHidden>
          </Button>
        </ActionForm>
      </div>
    </li>
  );
}

const FREQUENCIES = [
  ['off', 'Off'],
  ['daily', 'Daily'],
  ['atOnce', 'At once'],
] as const;

/** Whether and how often new matches are emailed: one button for each choice, so that a click is enough without scripts. */
function AlertSwitch(props: { title: string; url: string; alert: SearchAlert | undefined }): ReactNode {
  const { title, url, alert } = props;
  const chosen = alert?.frequency ?? 'off';
  return (
    <ActionForm action="alert" id={alert?.alertId ?? ''}>
      <input type="hidden" name="search" value={url} />
      <fieldset className={styles['switch']}>
        <legend>
          Email new matches<VisuallyHidden> of {title}</VisuallyHidden>
        </legend>
        {FREQUENCIES.map(([value, label]) => (
          <Button key={value} type="submit" name="frequency" value={value} aria-pressed={value === chosen}>
            {label}
          </Button>
        ))}
      </fieldset>
    </ActionForm>
  );
}

const AlertItem = ({ alert }: { alert: SearchAlert }): ReactNode => (
  <li className={styles['item']}>
    <h3>
      <a href={alert.url}>{alert.title}</a>
    </h3>
    <p className={styles['small']}>Emails to {alert.emailAddress}</p>
    <AlertSwitch title={alert.title} url={alert.url} alert={alert} />
  </li>
);

/** Saves the search again that the page's URL names as deleted. */
function UndoDeletion(): ReactNode {
  const url = usePageState(({ page }) => page.url);
  const query = new URLSearchParams(url.split('?')[1]);
  const [title, search] = [query.get('title'), query.get('search')];
  if (query.get('done') !== 'deleted' || !title || !search) return null;
  return (
    <ActionForm action="restore">
      <input type="hidden" name="title" value={title} />
      <input type="hidden" name="search" value={search} />
      <Button type="submit" look="quiet">
        Undo
      </Button>
    </ActionForm>
  );
}

/** Saved searches of an account: open, rename, share, delete, and end email alerts. */
export function SavedSearches({ data }: { data: SavedSearchesData | null | undefined }): ReactNode {
  if (!data) return <Unavailable title={SAVED_SEARCHES_TITLE} path={SAVED_SEARCHES_PATH} />;
  const { searches, alerts, refused } = data;
  return (
    <SavedPage title={SAVED_SEARCHES_TITLE} undo={<UndoDeletion />}>
      {searches.length === 0 ? (
        <EmptyState>
          You haven’t saved a search yet. Choose filters in the results, then select “Save Search”.
        </EmptyState>
      ) : (
        <ul className={styles['list']}>
          {searches.map((search) => (
            <SearchItem key={search.bookmarkId} search={search} refused={refused} />
          ))}
        </ul>
      )}
      {alerts.length > 0 && (
        <section aria-labelledby="alerts">
          <h2 id="alerts">Emails about other searches</h2>
          <ul className={styles['list']}>
            {alerts.map((alert) => (
              <AlertItem key={alert.alertId} alert={alert} />
            ))}
          </ul>
        </section>
      )}
    </SavedPage>
  );
}
