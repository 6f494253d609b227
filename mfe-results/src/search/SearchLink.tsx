import type { MouseEvent, ReactNode } from 'react';
import { EMPTY_SLUG_REFERENCE, type SearchCriteria } from '@forecourt/shared-contracts/criteria';
import { encodeUrl } from '@forecourt/shared-contracts/url';
import { useEmit } from '@forecourt/shared-contracts/slots';
import { focusResults } from '../browser/resultsElements.ts';

/** A link to an edited search: a document without JavaScript and in a new tab, a search within the page otherwise. */
export function SearchLink(props: {
  criteria: SearchCriteria;
  /** Names the control, e.g. 'promo'. */
  cause: string;
  className?: string | undefined;
  /** Its results take its place: the focus goes on to their heading. */
  vanishes?: boolean;
  children: ReactNode;
}): ReactNode {
  const { criteria, cause, className, vanishes = false, children } = props;
  const emit = useEmit();
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (vanishes) focusResults();
    emit('search.changeRequested', { criteria, cause });
  };
  return (
    <a href={encodeUrl(criteria, EMPTY_SLUG_REFERENCE)} className={className} onClick={follow}>
      {children}
    </a>
  );
}
