import {
  type ReactNode,
  useEffect,
  useMemo,
  useState,
  createContext,
  useCallback,
  useContext,
  useRef,
} from 'react';
import type { Trim } from '@forecourt/shared-contracts/entities';
import { FUEL_GROUPS, type FuelGroup } from '@forecourt/shared-contracts/entities/codes';
import { formatDollars } from '@forecourt/shared-contracts/rules';
import { useEmit, useSlotEnvironment } from '@forecourt/shared-contracts/slots';
import { usePageState } from '@forecourt/shared-contracts/store';
import { Dialog, Icon } from '@forecourt/shared-contracts/ui';
import {
  type TrimCell,
  type TrimRow,
  UNKNOWN,
  defaultFuel,
  fuelsOf,
  trimRows,
  type SpecsByTrim,
  type TrimSpec,
} from './trimRows.ts';
import styles from './CompareTrims.module.css';
import tableStyles from './TrimTable.module.css';
import { shortTrimName } from '../panels/priceRows.ts';

interface TrimSpecs {
  readonly specs: SpecsByTrim;
  readonly request: (trims: readonly Trim[]) => void;
}

const TrimSpecsContext = createContext<TrimSpecs | null>(null);

/**
 * Caches the specs of trims for all comparisons below it. Each trim is requested once, when it is first compared; a
 * failed request is retried on the next comparison.
 */
export function TrimSpecsProvider({ children }: { children: ReactNode }): ReactNode {
  const { call } = useSlotEnvironment();
  const [specs, setSpecs] = useState<SpecsByTrim>(new Map());
  const requestedIds = useRef(new Set<string>());
  const request = useCallback(
    (trims: readonly Trim[]) => {
      for (const { vehicleId } of trims) {
        if (requestedIds.current.has(vehicleId)) continue;
        requestedIds.current.add(vehicleId);
        const store = (response: readonly TrimSpec[]) =>
          setSpecs((before) => new Map([...before, [vehicleId, response]]));
        call('specs', { vehicleId }).then(store, () => {
          requestedIds.current.delete(vehicleId);
          store([]);
        });
      }
    },
    [call],
  );
  const value = useMemo(() => ({ specs, request }), [specs, request]);
  return <TrimSpecsContext value={value}>{children}</TrimSpecsContext>;
}

/** All specs loaded so far; requests those of `trims`. */
function useTrimSpecs(trims: readonly Trim[]): SpecsByTrim {
  const cache = useContext(TrimSpecsContext);
  if (!cache) throw new Error('useTrimSpecs must be used inside a TrimSpecsProvider');
  const { specs, request } = cache;
  useEffect(() => request(trims), [request, trims]);
  return specs;
}

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

/** The trims of a model side by side, in the tab and in the dialog (AMB-028). Resets when unmounted (B4-MR-09). */
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
            Differences only
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

/** The comparison as a dialog, opened by `dialog.requested` (A2-UI-04, B2-MODAL-06). */
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
      <CompareTrims trims={trims} name={name} />
    </Dialog>
  );
}

function Value({ cell }: { cell: TrimCell }): ReactNode {
  const { kind, text } = cell;
  // An element of its own: one that becomes higher would count as a layout shift.
  if (kind === 'loading')
    return <span key={kind} className={tableStyles['loading']} role="img" aria-label={text} />;
  return (
    <span className={tableStyles[kind]}>
      {kind === 'standard' && <Icon name="check" size={18} />}
      {text}
    </span>
  );
}

/** What search engines and browsers without JavaScript get of a comparison that isn't selected. */
export function TrimList({ trims }: { trims: readonly Trim[] }): ReactNode {
  return (
    <ul>
      {trims.map(({ vehicleId, year, trimName, nationalMSRP }) => (
        <li key={vehicleId}>
          {[year, trimName, nationalMSRP ? `starting MSRP ${formatDollars(nationalMSRP)}` : '']
            .filter(Boolean)
            .join(' ')}
        </li>
      ))}
    </ul>
  );
}

const fuelLabel = (code: string) => FUEL_GROUPS[code as FuelGroup] as string | undefined;

/** The trims side by side, with a sticky first column. */
function TrimTable(props: { caption: string; trims: readonly Trim[]; rows: readonly TrimRow[] }): ReactNode {
  const { caption, trims, rows } = props;
  return (
    // Focusable and labeled, so that it can be scrolled with the keyboard.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className={tableStyles['frame']} aria-label={caption} tabIndex={0}>
      <table className={tableStyles['table']}>
        <caption className={tableStyles['caption']}>{caption}</caption>
        <thead>
          <tr>
            <th scope="col" className={tableStyles['corner']}>
              Trim
            </th>
            {trims.map((trim) => (
              <th key={trim.vehicleId} scope="col" className={tableStyles['trim']}>
                <img src={trim.imagePath} alt="" width={120} height={90} loading="lazy" decoding="async" />
                <span className={tableStyles['year']}>
                  {[trim.year, fuelLabel(trim.fuelTypeGroup)].filter(Boolean).join(' · ')}
                </span>
                <span title={trim.trimName}>{shortTrimName(trim.trimName)}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ kind, label, cells }) => (
            <tr key={label} data-kind={kind}>
              <th scope="row">{label}</th>
              {cells.map((cell, at) => (
                <td key={trims[at]?.vehicleId}>
                  <Value cell={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
