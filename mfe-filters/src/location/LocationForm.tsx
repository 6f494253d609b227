import { radiusOptions } from '../sections/place.ts';
import { useDeferredCriteria } from '../search/searchEdits.tsx';
import { useId, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { isZip, DEFAULT_PATH, type FilterParam } from '@forecourt/search/criteria';
import { Button } from '@forecourt/slots/ui';
import { sectionLabel } from '../sections/panelSections.ts';
import styles from './LocationForm.later.module.css';
import { HiddenFields, carriedFields } from '../search/HiddenFields.tsx';
import { useZipValidation } from '../sections/useZipValidation.ts';
import { ZipInput } from '../sections/ZipInput.tsx';
import { Field, inputClass } from '../sections/Field.tsx';
import { FieldError } from '../sections/FieldError.tsx';

const OWN_PARAMS: ReadonlySet<FilterParam> = new Set<FilterParam>([
  'zip',
  'searchRadius',
  'city',
  'state',
  'area',
]);

interface LocationFormProps {
  readonly zip: string;
  readonly radius: string;
  /** There is more room before the summary than after it. */
  readonly opensToStart: boolean;
  readonly onSave: (zip: string, radius: string) => void;
}

/** Text, radius, error and lookup of the form. */
function useLocationForm({ zip, radius, onSave }: Omit<LocationFormProps, 'opensToStart'>) {
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

export function LocationForm(props: LocationFormProps): ReactNode {
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
      className={props.opensToStart ? `${styles['form']} ${styles['toStart']}` : styles['form']}
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
      <Field label={sectionLabel('searchRadius')}>
        <select
          className={inputClass}
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
      </Field>
      <FieldError id={errorId} message={error} />
      <Button type="submit" look="primary" aria-busy={isBusy}>
        Save
      </Button>
    </form>
  );
}
