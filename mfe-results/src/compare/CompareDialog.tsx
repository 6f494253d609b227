import { useId, useState, type ReactNode } from 'react';
import { Dialog } from '@forecourt/slots/ui';
import { compareUrl, COMPARE_ROWS, type ComparedVehicle, differs } from './comparedVehicle.ts';
import { unbroken } from '../listing/facts.ts';
import styles from './CompareDialog.later.module.css';
import { RemoveControl } from './RemoveControl.tsx';
import { cornerButtonClass } from '../browser/cornerButtonClass.ts';

/** px; minimum widths of row labels and vehicles, below which the table scrolls. */
const LABEL_WIDTH = 80;
const VEHICLE_WIDTH = 112;

interface CompareDialogProps {
  readonly open: boolean;
  readonly vehicles: readonly ComparedVehicle[];
  readonly onRemove: (id: string) => void;
  readonly onClose: () => void;
}

/** The selected vehicles side by side, with a link to the page that shows everything and can be shared. */
export function CompareDialog({ open, vehicles, onRemove, onClose }: CompareDialogProps): ReactNode {
  const width = { minInlineSize: `${LABEL_WIDTH + vehicles.length * VEHICLE_WIDTH}px` };
  const checkboxId = useId();
  const [onlyDifferent, setOnlyDifferent] = useState(false);
  const rows = COMPARE_ROWS.filter(([row]) => !onlyDifferent || differs(vehicles, row));
  return (
    <Dialog open={open} title="Compare vehicles" onClose={onClose} wide>
      <p className={styles['choice']}>
        <input
          id={checkboxId}
          type="checkbox"
          checked={onlyDifferent}
          onChange={(event) => setOnlyDifferent(event.currentTarget.checked)}
        />
        <label htmlFor={checkboxId}>Show differences only</label>
        <a className={styles['page']} href={compareUrl(vehicles.map(({ id }) => id))}>
          Full comparison
        </a>
      </p>
      {/* Focusable, so that it can be scrolled with the keyboard. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={styles['scroll']} role="region" aria-label="Comparison" tabIndex={0}>
        <table data-removals className={styles['table']} style={width}>
          <thead>
            <tr>
              <td className={styles['corner']} />
              {vehicles.map((vehicle) => (
                <th key={vehicle.id} scope="col" className={styles['vehicle']}>
                  <CompareHead vehicle={vehicle} onRemove={() => onRemove(vehicle.id)} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([row, label]) => (
              <tr key={row} className={differs(vehicles, row) ? styles['different'] : undefined}>
                <th scope="row" className={styles['label']}>
                  {label}
                </th>
                {vehicles.map(({ id, rows: facts }) => (
                  <td key={id} className={row === 'price' ? styles['price'] : styles['fact']}>
                    {facts[row] ?? <span className={styles['unknown']}>Not stated</span>}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Dialog>
  );
}

function CompareHead({ vehicle, onRemove }: { vehicle: ComparedVehicle; onRemove: () => void }): ReactNode {
  const { picture, title, href } = vehicle;
  return (
    <>
      <span className={styles['picture']}>
        {picture && <img src={picture.src} alt="" width={320} height={240} />}
        <RemoveControl title={title} className={cornerButtonClass(styles['remove'])} onRemove={onRemove} />
      </span>
      <a href={href}>{unbroken(title)}</a>
    </>
  );
}
