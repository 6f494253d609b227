import type { ReactNode } from 'react';
import { DEFAULT_SEARCH_RADIUS, valuesOf } from '@forecourt/shared-contracts/criteria';
import { usePageState } from '@forecourt/shared-contracts/store';
import { formatNumber } from '@forecourt/shared-contracts/ui';
import { zipOf, radiusOptions, UNCENTRED_CHOICES } from './place.ts';
import { ZipField } from './ZipField.tsx';
import { useFilter } from '../search/panelData.tsx';
import { sectionLabel } from './panelSections.ts';
import { useCriteria, useEdit } from '../search/searchEdits.tsx';
import { PlainRow } from './OptionRow.tsx';
import styles from './fields.later.module.css';
import { setLocation, setValues } from '../search/criteriaChanges.ts';

const DEFAULT_VALUE = String(DEFAULT_SEARCH_RADIUS);

/** ZIP, distance and extended delivery (A3-FILTER-02..04, B4-PANEL-13, B4-PANEL-14, B5-ZIP-01..03). */
export function LocationSection(): ReactNode {
  const criteria = useCriteria();
  const edit = useEdit();
  const radii = useFilter('searchRadius');
  const [delivery] = useFilter('marketExtension')?.options ?? [];
  const visitorZip = usePageState(({ session }) => session.visitorZip);
  const isCounted = zipOf(criteria, visitorZip) !== undefined;
  const [radius] = valuesOf(criteria, 'searchRadius');
  const isExtended = valuesOf(criteria, 'marketExtension')[0] === 'include';
  return (
    <>
      <div className={styles['place']}>
        <ZipField
          label={sectionLabel('zip')}
          zip={valuesOf(criteria, 'zip')[0] ?? ''}
          onCommit={(zip) =>
            edit(
              (newest) => (zip === '' ? setValues(newest, 'zip', []) : setLocation(newest, { zip })),
              'filter:zip',
            )
          }
        />
        <label className={styles['field']}>
          <span className={styles['fieldLabel']}>{sectionLabel('searchRadius')}</span>
          <select
            className={styles['input']}
            name="searchRadius"
            value={radius ?? ''}
            onChange={(event) => {
              const { value } = event.currentTarget;
              edit(
                (newest) => setValues(newest, 'searchRadius', value === '' ? [] : [value]),
                'filter:searchRadius',
              );
            }}
          >
            {(isCounted || radius !== undefined
              ? radiusOptions(isCounted ? radii : undefined, radius)
              : UNCENTRED_CHOICES
            ).map(({ value, label, count, isDisabled }) => (
              // Without a choice the default is shown, but no form sends it: a radius alone is a filter.
              <option
                key={value}
                value={isCounted && radius === undefined && value === DEFAULT_VALUE ? '' : value}
                disabled={isDisabled && value !== (radius ?? DEFAULT_VALUE)}
              >
                {count === undefined ? label : `${label} (${formatNumber(count)})`}
              </option>
            ))}
          </select>
        </label>
      </div>
      <PlainRow
        type="checkbox"
        name="marketExtension"
        option={{
          value: 'include',
          label: sectionLabel('marketExtension'),
          ...(isCounted && delivery?.count !== undefined && { count: delivery.count }),
        }}
        isChosen={isExtended}
        onChoose={() =>
          edit(
            (newest) =>
              setValues(newest, 'marketExtension', [
                valuesOf(newest, 'marketExtension')[0] === 'include' ? 'off' : 'include',
              ]),
            'filter:marketExtension',
          )
        }
      />
    </>
  );
}
