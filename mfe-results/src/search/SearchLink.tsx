import type { MouseEvent, ReactNode } from 'react';
import { EMPTY_SLUG_REFERENCE, type SearchCriteria } from '@forecourt/shared-contracts/criteria';
import { encodeUrl } from '@forecourt/shared-contracts/url';
import { useEmit } from '@forecourt/shared-contracts/slots';
import { focusResults } from '../browser/resultCards.ts';

/** A link to a changed search: searches within the page, and loads a document without JavaScript or in a new tab. */
export function SearchLink(props: {
  criteria: SearchCriteria;
  /** The control, e.g. 'promo'. */
  cause: string;
  className?: string | undefined;
  /** Set if the link disappears with its results: moves the focus to their heading. */
  focusesResults?: boolean;
  children: ReactNode;
}): ReactNode {
  const { criteria, cause, className, focusesResults = false, children } = props;
  const emit = useEmit();
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (focusesResults) focusResults();
    emit('search.changeRequested', { criteria, cause });
  };
  return (
    <a href={encodeUrl(criteria, EMPTY_SLUG_REFERENCE)} className={className} onClick={follow}>
      {children}
    </a>
  );
}
