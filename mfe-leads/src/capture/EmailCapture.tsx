import { useEffect, useRef, type ReactNode } from 'react';
import { usePageState } from '@forecourt/slots';
import { CaptureForm } from './CaptureForm.tsx';
import styles from './EmailCapture.module.css';
import { isAutoSaved, searchTitle } from '../savedSearch/savedSearch.ts';

/** Email capture in an outlet: toolbar, grid tile or bottom block. */
export function EmailCapture(): ReactNode {
  const url = usePageState(({ search }) => search.url);
  const texts = usePageState(({ search }) => search.texts);
  const chips = usePageState(({ search }) => search.chips);
  const signedIn = usePageState(({ session }) => session.signedIn);
  const savedTitle = usePageState(({ search }) => search.pageData.saveSearchData?.title);
  const title = searchTitle({ texts, chips });
  // Matches are promised only where the search is stored with the address.
  const copy = isAutoSaved({ signedIn, title: savedTitle })
    ? { label: 'Get emails for this search', heading: 'Get new matches by email', text: title }
    : {
        label: 'Get our emails',
        heading: 'Get our emails',
        text: 'We’ll email you about new vehicles and price drops across the site.',
      };
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The form replaces the button that opened it, so it takes over the focus.
    if (document.activeElement === document.body && ref.current?.closest('[data-outlet][data-inline]'))
      ref.current.querySelector('input')?.focus();
  }, []);
  return (
    // A group, not a landmark: the page repeats it, and landmarks need distinct names.
    <div ref={ref} role="group" className={styles['capture']} aria-label={copy.label}>
      <p className={styles['heading']}>{copy.heading}</p>
      <p className={styles['text']}>{copy.text}</p>
      <CaptureForm key={url} search={{ url, title }} />
    </div>
  );
}
