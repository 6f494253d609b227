import { type ReactNode, useMemo, useState } from 'react';
import { usePageState } from '@forecourt/slots';
import { FUEL_GROUPS, type FuelGroup } from '@forecourt/upstream/codes';
import type { Trim } from '@forecourt/upstream/entities';
import { UNKNOWN, defaultFuel, fuelsOf, trimRows } from './trimRows.ts';
import styles from './CompareTrims.module.css';
import { useTrimSpecs } from './TrimSpecsProvider.tsx';
import { TrimTable } from './TrimTable.tsx';

function FuelSelect(props: {
  fuels: readonly FuelGroup[];
  value: FuelGroup | undefined;
  onChange: (fuel: FuelGroup | undefined) => void;
}): ReactNode {
  const { fuels, value, onChange } = props;
  return (
    <label className={styles['fuel']}>
      Fuel type
      <select
        value={value ?? ''}
        onChange={({ target }) => onChange(fuels.find((code) => code === target.value))}
      >
        <option value="">All fuel types</option>
        {fuels.map((code) => (
          <option key={code} value={code}>
            {FUEL_GROUPS[code]}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The trims of a model side by side, in the tab and in the dialog. Resets when unmounted. */
export function CompareTrims({ trims, name }: { trims: readonly Trim[]; name: string }): ReactNode {
  const filters = usePageState(({ search }) => search.criteria.filters);
  const [fuel, setFuel] = useState<FuelGroup | undefined>(() => defaultFuel(filters, trims));
  const [differencesOnly, setDifferencesOnly] = useState(false);
  const specs = useTrimSpecs(trims);
  const fuels = fuelsOf(trims);
  const shownTrims = useMemo(
    () => trims.filter(({ fuelTypeGroup }) => fuel === undefined || fuelTypeGroup === fuel),
    [trims, fuel],
  );
  if (trims.length === 0) return <p>{UNKNOWN}</p>;
  const rows = trimRows(shownTrims, specs);
  const visible = differencesOnly ? rows.filter(({ isSame }) => !isSame) : rows;
  const years = [...new Set(trims.map(({ year }) => year))].sort();
  return (
    <div className={styles['compare']}>
      <div className={styles['controls']}>
        {fuels.length > 1 && <FuelSelect fuels={fuels} value={fuel} onChange={setFuel} />}
        {shownTrims.length > 1 && (
          <label className={styles['differences']}>
            <input
              type="checkbox"
              checked={differencesOnly}
              onChange={({ target }) => setDifferencesOnly(target.checked)}
            />
            Show differences only
          </label>
        )}
      </div>
      {visible.length > 0 ? (
        <TrimTable caption={`${years.join(' and ')} ${name} trims`} trims={shownTrims} rows={visible} />
      ) : (
        <p>These trims have no differences.</p>
      )}
    </div>
  );
}
