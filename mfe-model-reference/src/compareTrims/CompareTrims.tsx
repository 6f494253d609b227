import { useMemo, useState, type ReactNode, useEffect } from 'react';
import { FUEL_GROUPS, type FuelGroup } from '@forecourt/shared-contracts/entities/codes';
import type { Trim } from '@forecourt/shared-contracts/entities';
import { usePageState } from '@forecourt/shared-contracts/store';
import styles from './CompareTrims.module.css';
import { defaultFuel, fuelsOf, trimRows, UNKNOWN } from './trimRows.ts';
import { useTrimSpecs } from './TrimSpecs.tsx';
import { TrimTable } from './TrimTable.tsx';
import { useEmit, useSlotEnvironment } from '@forecourt/shared-contracts/slots';
import { Dialog } from '@forecourt/shared-contracts/ui';

const NO_TRIMS: readonly Trim[] = [];

/**
 * The trims of a model side by side, the same in the tab and in the dialog
 * (AMB-028). Its choices last while it is shown (B4-MR-09).
 */
export function CompareTrims(props: {
  trims: readonly Trim[];
  name: string;
  /**
   * Is it in sight? The server writes the tab that is not chosen as well, for those without scripts: facts only, since
   * nothing would ever load the features.
   */
  isShown: boolean;
}): ReactNode {
  const { trims, name, isShown } = props;
  const filters = usePageState(({ search }) => search.criteria.filters);
  const [fuel, setFuel] = useState<FuelGroup | undefined>(() => defaultFuel(filters, trims));
  const [differencesOnly, setDifferencesOnly] = useState(false);
  const specs = useTrimSpecs(isShown ? trims : NO_TRIMS);
  const fuels = fuelsOf(trims);
  const shown = useMemo(
    () => trims.filter(({ fuelTypeGroup }) => fuel === undefined || fuelTypeGroup === fuel),
    [trims, fuel],
  );
  if (trims.length === 0) return <p>{UNKNOWN}</p>;
  const rows = trimRows(shown, isShown ? specs : undefined);
  const visible = differencesOnly ? rows.filter(({ isSame }) => !isSame) : rows;
  const years = [...new Set(trims.map(({ year }) => year))].sort();
  return (
    <div className={styles['compare']}>
      <div className={styles['controls']}>
        {fuels.length > 1 && (
          <label className={styles['fuel']}>
            Fuel type
            <select
              value={fuel ?? ''}
              onChange={({ target }) => setFuel(fuels.find((code) => code === target.value))}
            >
              <option value="">All fuel types</option>
              {fuels.map((code) => (
                <option key={code} value={code}>
                  {FUEL_GROUPS[code]}
                </option>
              ))}
            </select>
          </label>
        )}
        {shown.length > 1 && (
          <label className={styles['differences']}>
            <input
              type="checkbox"
              checked={differencesOnly}
              onChange={({ target }) => setDifferencesOnly(target.checked)}
            />
            Differences only
          </label>
        )}
      </div>
      {visible.length > 0 ? (
        <TrimTable caption={`${years.join(' and ')} ${name} trims`} trims={shown} rows={visible} />
      ) : (
        <p>These trims do not differ in what is compared here.</p>
      )}
    </div>
  );
}

/** The comparison as a dialog, for whoever asks for it (A2-UI-04, B2-MODAL-06). */
export function CompareTrimsDialog({ trims, name }: { trims: readonly Trim[]; name: string }): ReactNode {
  const { listen } = useSlotEnvironment();
  const emit = useEmit();
  const [isOpen, setOpen] = useState(false);
  useEffect(
    () => listen('dialog.requested', (request) => request.name === 'trims' && setOpen(true)),
    [listen],
  );
  const close = () => {
    setOpen(false);
    emit('dialog.closed', { name: 'trims' });
  };
  return (
    <Dialog open={isOpen} title={`Compare ${name} Trims`} onClose={close} wide>
      <CompareTrims trims={trims} name={name} isShown />
    </Dialog>
  );
}
