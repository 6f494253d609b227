import { useEffect, useRef, type ReactNode } from 'react';
import { defineSlot } from '@forecourt/shared-contracts/slots';
import { usePageState } from '@forecourt/shared-contracts/store';
import { CaptureForm } from '../capture/CaptureForm.tsx';
import styles from '../capture/EmailCapture.module.css';
import { searchTitle } from '../savedSearch/bookmark.ts';
import { isAutoSaved } from '../savedSearch/saveSearchDecision.ts';

/** The email capture of an outlet: in the toolbar, as a tile of the grid, in the bottom block. */
function EmailCapture(): ReactNode {
  const url = usePageState(({ search }) => search.url);
  const texts = usePageState(({ search }) => search.texts);
  const chips = usePageState(({ search }) => search.chips);
  const signedIn = usePageState(({ session }) => session.signedIn);
  const savedTitle = usePageState(({ search }) => search.pageData.saveSearchData?.title);
  const title = searchTitle({ texts, chips });
  // Where the search is not stored with the address, its matches are not promised (B6-SAVE-01).
  const words = isAutoSaved({ signedIn, title: savedTitle })
    ? { label: 'Get emails for this search', heading: 'Get new matches by email', text: title }
    : {
        label: 'Get our emails',
        heading: 'Get our emails',
        text: 'We write about new vehicles and price drops, not about one search alone.',
      };
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // In the place of the button that asked for it, the focus would be gone with the button.
    if (document.activeElement === document.body && ref.current?.closest('[data-outlet][data-inline]'))
      ref.current.querySelector('input')?.focus();
  }, []);
  return (
    // No landmark: the page shows it at several places, and landmarks of one name cannot be told apart.
    <div ref={ref} role="group" className={styles['capture']} aria-label={words.label}>
      <p className={styles['heading']}>{words.heading}</p>
      <p className={styles['text']}>{words.text}</p>
      <CaptureForm key={url} search={{ url, title }} />
    </div>
  );
}

export default defineSlot({
  needs: ['search.url', 'search.texts', 'search.chips', 'search.pageData', 'session'],
  view: EmailCapture,
});
