import type { ReactNode } from 'react';
import { valuesOf } from '@forecourt/search/criteria';
import { formatNumber } from '@forecourt/search/format';
import { usePageState } from '@forecourt/slots';
import { radiusOf, zipOf, radiusOptions, RADIUS_CHOICES_WITHOUT_PLACE } from './place.ts';
import { ZipField } from './ZipField.tsx';
import { useFilter } from '../search/panelData.tsx';
import { sectionLabel } from './panelSections.ts';
import { useCriteria, useEdit, useSelectedValues } from '../search/searchEdits.tsx';
import { PlainRow } from './OptionRow.tsx';
import { setLocation, setValues } from '../search/criteriaChanges.ts';
import { Field, inputClass } from './Field.tsx';
import styles from './LocationSection.module.css';

function RadiusSelect({ isCounted }: { isCounted: boolean }): ReactNode {
  const edit = useEdit();
  const filter = useFilter('searchRadius');
  const [radius] = useSelectedValues('searchRadius');
  const impliedRadius = radiusOf(useCriteria());
  const options =
    isCounted || radius !== undefined
      ? radiusOptions(isCounted ? filter : undefined, radius)
      : RADIUS_CHOICES_WITHOUT_PLACE;
  return (
    <Field label={sectionLabel('searchRadius')}>
      <select
        className={inputClass}
        name="searchRadius"
        value={radius ?? ''}
        onChange={(event) => {
          const { value } = event.currentTarget;
          edit(
            (current) => setValues(current, 'searchRadius', value === '' ? [] : [value]),
            'filter:searchRadius',
          );
        }}
      >
        {options.map(({ value, label, count, isDisabled }) => (
          // The implied radius is shown but has an empty value: submitting it would add a filter.
          <option
            key={value}
            value={isCounted && radius === undefined && value === impliedRadius ? '' : value}
            disabled={isDisabled && value !== impliedRadius}
          >
            {count === undefined ? label : `${label} (${formatNumber(count)})`}
          </option>
        ))}
      </select>
    </Field>
  );
}

const isDeliveryIncluded = (values: readonly string[]) => values[0] === 'include';

function ExtendedDelivery({ isCounted }: { isCounted: boolean }): ReactNode {
  const edit = useEdit();
  const [option] = useFilter('marketExtension')?.options ?? [];
  const isChosen = isDeliveryIncluded(useSelectedValues('marketExtension'));
  return (
    <PlainRow
      type="checkbox"
      name="marketExtension"
      option={{
        value: 'include',
        label: sectionLabel('marketExtension'),
        ...(isCounted && option?.count !== undefined && { count: option.count }),
      }}
      isChosen={isChosen}
      onChoose={() =>
        edit(
          (current) =>
            setValues(current, 'marketExtension', [
              isDeliveryIncluded(valuesOf(current, 'marketExtension')) ? 'off' : 'include',
            ]),
          'filter:marketExtension',
        )
      }
    />
  );
}

/** ZIP code, distance and extended delivery. */
export function LocationSection(): ReactNode {
  const criteria = useCriteria();
  const edit = useEdit();
  const visitorZip = usePageState(({ session }) => session.visitorZip);
  // The response counts distances only around a ZIP code.
  const isCounted = zipOf(criteria, visitorZip) !== undefined;
  return (
    <>
      <div className={styles['place']}>
        <ZipField
          label={sectionLabel('zip')}
          zip={valuesOf(criteria, 'zip')[0] ?? ''}
          onCommit={(zip) =>
            edit(
              (current) => (zip === '' ? setValues(current, 'zip', []) : setLocation(current, { zip })),
              'filter:zip',
            )
          }
        />
        <RadiusSelect isCounted={isCounted} />
      </div>
      <ExtendedDelivery isCounted={isCounted} />
    </>
  );
}
