import { useId, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { isZip, ZIP_LENGTH, DEFAULT_PATH, type FilterParam } from '@forecourt/shared-contracts/criteria';
import { usePageState } from '@forecourt/shared-contracts/store';
import { Button, Icon } from '@forecourt/shared-contracts/ui';
import { radiusOptions, locationText, type LookedUpPlace, radiusOf, zipOf } from '../sections/place.ts';
import { sectionLabel } from '../sections/panelSections.ts';
import { HiddenFields, carriedFields } from '../search/links.tsx';
import { useCriteria, useEdit, useLaterCriteria } from '../search/searchEdits.tsx';
import { pastedZip, useZipConfirmation } from '../sections/ZipField.tsx';
import styles from './LocationEditor.module.css';
import formStyles from './LocationForm.later.module.css';
import fieldStyles from '../sections/fields.later.module.css';
import { setLocation } from '../search/criteriaChanges.ts';

const OWN: ReadonlySet<FilterParam> = new Set<FilterParam>(['zip', 'searchRadius', 'city', 'state']);

/** px, as in the style sheet. */
const FORM_WIDTH = 340;
const PAGE_MARGIN = 16;

/** The place as a disclosure with its editor (B2-HERO-03, B4-LOC-01..03, B5-ZIP-01..03). */
export function LocationEditor({ place }: { place: LookedUpPlace | null }): ReactNode {
  const criteria = useCriteria();
  const edit = useEdit();
  const visitorZip = usePageState(({ session }) => session.visitorZip);
  const zip = zipOf(criteria, visitorZip);
  const radius = radiusOf(criteria);
  const details = useRef<HTMLDetailsElement>(null);
  const [opensToStart, setOpensToStart] = useState(false);
  const [givenUp, setGivenUp] = useState(0);
  /** The hero wraps by its text, so only the page itself knows on which side there is room. */
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
    // Escape closes what the summary opened; the summary and the form keep their own keys.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <details
      ref={details}
      className={opensToStart ? `${styles['editor']} ${formStyles['toStart']}` : styles['editor']}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !details.current?.open) return;
        close();
        setGivenUp((count) => count + 1);
      }}
    >
      <summary className={styles['summary']} onClick={placeForm}>
        <Icon name="pin" />
        <span className={styles['place']}>{locationText(criteria, zip, place)}</span>
        <Icon name="chevronDown" size={18} />
      </summary>
      <LocationForm
        // Another place or distance starts the form anew, and so does who gives up, a look-up under way with it; a search
        // under way leaves what is typed.
        key={`${zip} ${radius} ${givenUp}`}
        zip={zip ?? ''}
        radius={radius}
        onSave={(typedZip, typedRadius) => {
          close();
          edit(
            (newest) => setLocation(newest, { zip: typedZip, searchRadius: Number(typedRadius) }),
            'location',
          );
        }}
      />
    </details>
  );
}

interface LocationFormProps {
  readonly zip: string;
  readonly radius: string;
  readonly onSave: (zip: string, radius: string) => void;
}

function LocationForm({ zip, radius, onSave }: LocationFormProps): ReactNode {
  const criteria = useLaterCriteria();
  const confirm = useZipConfirmation();
  const errorId = useId();
  const input = useRef<HTMLInputElement>(null);
  const [typedZip, setTypedZip] = useState(zip);
  const [typedRadius, setTypedRadius] = useState(radius);
  const [error, setError] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);

  const change = (text: string) => {
    setTypedZip(text);
    if (isZip(text)) setError(undefined);
  };
  const save = async (event: FormEvent) => {
    event.preventDefault();
    setIsBusy(true);
    const answer = await confirm(typedZip);
    if (answer.kind === 'stale') return;
    setIsBusy(false);
    if (answer.kind === 'valid') {
      setError(undefined);
      onSave(typedZip, typedRadius);
      return;
    }
    setError(answer.message);
    input.current?.focus();
  };
  return (
    <form
      className={formStyles['form']}
      action={DEFAULT_PATH}
      method="get"
      noValidate
      aria-label="Location"
      onSubmit={(event) => void save(event)}
    >
      <HiddenFields fields={carriedFields(criteria, OWN)} />
      <label className={fieldStyles['field']}>
        <span className={fieldStyles['fieldLabel']}>{sectionLabel('zip')}</span>
        <input
          ref={input}
          className={fieldStyles['input']}
          name="zip"
          inputMode="numeric"
          autoComplete="postal-code"
          maxLength={ZIP_LENGTH}
          value={typedZip}
          aria-invalid={error !== undefined}
          aria-describedby={errorId}
          onChange={(event) => change(event.target.value.trim())}
          onPaste={(event) => change(pastedZip(event))}
        />
      </label>
      <label className={fieldStyles['field']}>
        <span className={fieldStyles['fieldLabel']}>{sectionLabel('searchRadius')}</span>
        <select
          className={fieldStyles['input']}
          name="searchRadius"
          value={typedRadius}
          onChange={(event) => setTypedRadius(event.currentTarget.value)}
        >
          {radiusOptions(undefined, radius).map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <p
        id={errorId}
        role="alert"
        className={error === undefined ? formStyles['noError'] : fieldStyles['error']}
      >
        {error}
      </p>
      <Button type="submit" look="primary" aria-busy={isBusy}>
        Save
      </Button>
    </form>
  );
}
