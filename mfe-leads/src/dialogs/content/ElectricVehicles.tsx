import type { ReactNode } from 'react';
import styles from './ElectricVehicles.module.css';

/** Types of electric vehicles. */
const ELECTRIC_TYPES = [
  {
    code: 'BEV',
    name: 'Battery electric',
    drive: 'Runs on a battery only, without an engine.',
    energy: 'Charge it at home or at a public station.',
    fits: 'Suits drivers who can charge overnight and rarely go beyond its range in a day.',
  },
  {
    code: 'PHEV',
    name: 'Plug-in hybrid',
    drive: 'Runs on a battery for the first 20 to 50 miles, then on a gasoline engine.',
    energy: 'Charge it for short trips, fill up for long ones.',
    fits: 'Suits short commutes and occasional long trips.',
  },
  {
    code: 'HEV',
    name: 'Hybrid',
    drive: 'Runs on a gasoline engine with help from an electric motor.',
    energy: 'Never plugged in: braking charges its small battery.',
    fits: 'Suits anyone who wants to use less fuel without changing habits.',
  },
  {
    code: 'FCEV',
    name: 'Fuel cell',
    drive: 'Runs on an electric motor powered by hydrogen.',
    energy: 'Fill up with hydrogen in minutes, where stations are available.',
    fits: 'Suits drivers near hydrogen stations, most of which are in California.',
  },
] as const;

export function ElectricVehicles(): ReactNode {
  return (
    <dl className={styles['types']}>
      {ELECTRIC_TYPES.map(({ code, name, drive, energy, fits }) => (
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
