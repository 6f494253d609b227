import { defineSlot } from '@forecourt/shared-contracts/slots';
import { type LookedUpPlace, zipOf, radiusOptions, locationText, radiusOf } from '../sections/place.ts';
import { SearchEditsProvider, useCriteria, useEdit, useDeferredCriteria } from '../search/searchEdits.tsx';
import { useId, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { isZip, DEFAULT_PATH, type FilterParam } from '@forecourt/shared-contracts/criteria';
import { setLocation } from '../search/criteriaChanges.ts';
import { usePageState } from '@forecourt/shared-contracts/store';
import { Button, Icon } from '@forecourt/shared-contracts/ui';
import { sectionLabel } from '../sections/panelSections.ts';
import { HiddenFields, carriedFields } from '../search/links.tsx';
import { useZipValidation, ZipInput } from '../sections/ZipField.tsx';
import styles from '../location/LocationEditor.module.css';
import formStyles from '../location/LocationForm.later.module.css';
import fieldStyles from '../sections/fields.module.css';

const OWN_PARAMS: ReadonlySet<FilterParam> = new Set<FilterParam>([
  'zip',
  'searchRadius',
  'city',
  'state',
  'area',
]);

/** px; must match LocationForm.later.module.css. */
const FORM_WIDTH = 340;
const PAGE_MARGIN = 16;

/** Shows the search's place; expands to a form (B2-HERO-03, B4-LOC-01..03). */
function LocationEditor({ place }: { place: LookedUpPlace | null }): ReactNode {
  const criteria = useCriteria();
  const edit = useEdit();
  const visitorZip = usePageState(({ session }) => session.visitorZip);
  const zip = zipOf(criteria, visitorZip);
  const radius = radiusOf(criteria);
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
      className={opensToStart ? `${styles['editor']} ${formStyles['toStart']}` : styles['editor']}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !details.current?.open) return;
        close();
        setCancelCount((count) => count + 1);
      }}
    >
      <summary className={styles['summary']} onClick={placeForm}>
        <Icon name="pin" />
        <span className={styles['place']}>{locationText(criteria, zip, place)}</span>
        <Icon name="chevronDown" size={18} />
      </summary>
      <LocationForm
        // Reset the form on another place or radius, and on Escape (which also cancels a lookup in flight). A search in
        // flight keeps the typed text.
        key={`${zip} ${radius} ${cancelCount}`}
        zip={zip ?? ''}
        radius={radius}
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

interface LocationFormProps {
  readonly zip: string;
  readonly radius: string;
  readonly onSave: (zip: string, radius: string) => void;
}

/** Text, radius, error and lookup of the form. */
function useLocationForm({ zip, radius, onSave }: LocationFormProps) {
  const validate = useZipValidation();
  const [typedZip, setTypedZip] = useState(zip);
  const [typedRadius, setTypedRadius] = useState(radius);
  const [error, setError] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const typeZip = (text: string) => {
    setTypedZip(text);
    if (isZip(text)) setError(undefined);
  };
  /** Calls `onReject` when the ZIP code is invalid. */
  const save = async (onReject: () => void) => {
    setIsBusy(true);
    const result = await validate(typedZip);
    if (result.kind === 'stale') return;
    setIsBusy(false);
    if (result.kind === 'valid') {
      setError(undefined);
      onSave(typedZip, typedRadius);
      return;
    }
    setError(result.message);
    onReject();
  };
  return { typedZip, typeZip, typedRadius, setTypedRadius, error, isBusy, save };
}

function LocationForm(props: LocationFormProps): ReactNode {
  const criteria = useDeferredCriteria();
  const errorId = useId();
  const input = useRef<HTMLInputElement>(null);
  const { typedZip, typeZip, typedRadius, setTypedRadius, error, isBusy, save } = useLocationForm(props);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void save(() => input.current?.focus());
  };
  return (
    <form
      className={formStyles['form']}
      action={DEFAULT_PATH}
      method="get"
      noValidate
      aria-label="Location"
      onSubmit={submit}
    >
      <HiddenFields fields={carriedFields(criteria, OWN_PARAMS)} />
      <ZipInput
        ref={input}
        label={sectionLabel('zip')}
        value={typedZip}
        aria-invalid={error !== undefined}
        aria-describedby={errorId}
        onType={typeZip}
      />
      <label className={fieldStyles['field']}>
        <span className={fieldStyles['fieldLabel']}>{sectionLabel('searchRadius')}</span>
        <select
          className={fieldStyles['input']}
          name="searchRadius"
          value={typedRadius}
          onChange={(event) => setTypedRadius(event.currentTarget.value)}
        >
          {radiusOptions(undefined, props.radius).map(({ value, label }) => (
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

/** The search's place and radius, with a form to change them (B2-HERO-03, B4-LOC-01..03). */
export default defineSlot<LookedUpPlace | null>({
  needs: ['search.criteria', 'session'],
  loadKey: (state) => zipOf(state.search.criteria, state.session.visitorZip) ?? '',
  load: async ({ state, call, signal }) => {
    const zip = zipOf(state.search.criteria, state.session.visitorZip);
    if (zip === undefined) return null;
    const response = await call('zipLookup', { zip }, { signal });
    return response.success ? { zip, city: response.city, state: response.state } : { zip };
  },
  // The lookup may have failed or been late; the upstream answers a ZIP code that it doesn't know in the same way.
  isComplete: (data) => data === null || data.city !== undefined,
  view: ({ data }) => (
    <SearchEditsProvider>
      <LocationEditor place={data ?? null} />
    </SearchEditsProvider>
  ),
});
