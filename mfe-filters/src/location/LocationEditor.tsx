import { type LookedUpPlace, zipOf, locationTexts, radiusOf } from '../sections/place.ts';
import { useCriteria, useEdit } from '../search/searchEdits.tsx';
import { useRef, useState, type ReactNode } from 'react';
import { setLocation } from '../search/criteriaChanges.ts';
import { usePageState } from '@forecourt/slots';
import { Icon, iconClass } from '@forecourt/slots/ui';
import styles from './LocationEditor.module.css';
import { LocationForm } from './LocationForm.tsx';

/** px; must match LocationForm.later.module.css. */
const FORM_WIDTH = 340;

const PAGE_MARGIN = 16;

/** Shows the search's place; expands to a form. */
export function LocationEditor({ place }: { place: LookedUpPlace | null }): ReactNode {
  const criteria = useCriteria();
  const edit = useEdit();
  const visitorZip = usePageState(({ session }) => session.visitorZip);
  const zip = zipOf(criteria, visitorZip);
  const radius = radiusOf(criteria);
  const [where, radiusText] = locationTexts(criteria, zip, place);
  const details = useRef<HTMLDetailsElement>(null);
  const [opensToStart, setOpensToStart] = useState(false);
  const [cancelCount, setCancelCount] = useState(0);
  /** Opens the form toward the side with room: that depends on how the hero's text wraps. */
  const placeForm = () => {
    const { left = 0 } = details.current?.getBoundingClientRect() ?? {};
    const { clientWidth } = document.documentElement;
    setOpensToStart(left + Math.min(FORM_WIDTH, clientWidth - 2 * PAGE_MARGIN) > clientWidth);
  };
  const close = () => {
    if (!details.current) return;
    details.current.open = false;
    details.current.querySelector('summary')?.focus();
  };
  return (
    // Escape closes the form; the summary and the form handle all other keys.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <details
      ref={details}
      className={styles['editor']}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !details.current?.open) return;
        close();
        setCancelCount((count) => count + 1);
      }}
    >
      <summary className={`${styles['summary']} ${iconClass('pin')}`} onClick={placeForm}>
        <span className={radiusText ? `${styles['place']} ${styles['named']}` : styles['place']}>
          {radiusText ? `${where} · ` : where}
        </span>
        {radiusText && <span className={styles['radius']}>{radiusText}</span>}
        <Icon name="chevronDown" size={18} />
      </summary>
      <LocationForm
        // Reset the form on another place or radius, and on Escape (which also cancels a lookup in flight). A search in
        // flight keeps the typed text.
        key={`${zip} ${radius} ${cancelCount}`}
        zip={zip ?? ''}
        radius={radius}
        opensToStart={opensToStart}
        onSave={(typedZip, typedRadius) => {
          close();
          edit(
            (current) => setLocation(current, { zip: typedZip, searchRadius: Number(typedRadius) }),
            'location',
          );
        }}
      />
    </details>
  );
}
