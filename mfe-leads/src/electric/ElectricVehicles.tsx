import type { ReactNode } from 'react';
import styles from './ElectricVehicles.module.css';

/** The kinds of electric vehicles in plain words (B2-MODAL-10, AMB-089). */
const TYPES = [
  {
    code: 'BEV',
    name: 'Battery electric',
    drive: 'A battery alone, no engine.',
    energy: 'Charge it at home or at a public station.',
    fits: 'Suits drivers who can charge overnight and rarely go beyond its range in a day.',
  },
  {
    code: 'PHEV',
    name: 'Plug-in hybrid',
    drive: 'A battery for the first 20 to 50 miles, then a gasoline engine.',
    energy: 'Charge it for short trips, fill up for long ones.',
    fits: 'Suits short commutes with long journeys now and then.',
  },
  {
    code: 'HEV',
    name: 'Hybrid',
    drive: 'A gasoline engine with an electric motor that helps.',
    energy: 'Never plugged in: braking charges its small battery.',
    fits: 'Suits anyone who wants to use less fuel and change no habits.',
  },
  {
    code: 'FCEV',
    name: 'Fuel cell',
    drive: 'An electric motor, fed by hydrogen.',
    energy: 'Fill up with hydrogen in minutes, where there is a station.',
    fits: 'Suits drivers near hydrogen stations, most of which are in California.',
  },
] as const;

export function ElectricVehicles(): ReactNode {
  return (
    <dl className={styles['types']}>
      {TYPES.map(({ code, name, drive, energy, fits }) => (
        <div key={code} className={styles['type']}>
          <dt className={styles['name']}>
            {name} <abbr className={styles['code']}>{code}</abbr>
          </dt>
          <dd>{drive}</dd>
          <dd>{energy}</dd>
          <dd className={styles['fits']}>{fits}</dd>
        </div>
      ))}
    </dl>
  );
}
