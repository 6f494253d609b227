import type { ReactNode } from 'react';
import { crumbsOf, type VehicleForSale } from './loadVehicle.ts';
import { formatCount } from '@forecourt/search/format';
import { VisuallyHidden } from '@forecourt/slots/ui';
import styles from './Trail.module.css';

/** The way back to the search, and the page's place on the site. */
export function Trail({ vehicle }: { vehicle: VehicleForSale }): ReactNode {
  const { searchUrl, resultCount } = vehicle;
  return (
    <div className={styles['trail']}>
      {searchUrl && (
        <a className={styles['back']} href={searchUrl}>
          ‹ <VisuallyHidden>Back to </VisuallyHidden>
          {resultCount === undefined ? 'results' : formatCount(resultCount, 'result')}
        </a>
      )}
      <nav aria-label="Breadcrumb">
        <ol className={styles['crumbs']}>
          {crumbsOf(vehicle).map(({ name, path, isCurrent }) => (
            <li key={path}>
              {isCurrent ? <span aria-current="page">{name}</span> : <a href={path}>{name}</a>}
            </li>
          ))}
        </ol>
      </nav>
    </div>
  );
}
