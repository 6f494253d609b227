import type { ReactNode } from 'react';
import { DEFAULT_PATH } from '@forecourt/search/criteria';
import { formatDollars, formatNumber } from '@forecourt/search/format';
import { buttonClass } from '@forecourt/slots/ui';
import type { Sold } from './loadVehicle.ts';
import { SimilarVehicles } from './SimilarVehicles.tsx';
import { panelClass } from './Panel.tsx';
import styles from './UnavailableVehicle.module.css';

/** Shown for an id that no vehicle ever had. */
export function UnknownVehicle({ searchUrl }: { searchUrl: string | undefined }): ReactNode {
  return (
    <article className={`${panelClass} ${styles['notFound']}`}>
      <h1>We couldn’t find this vehicle.</h1>
      <p>Check the address, or look through all vehicles for sale.</p>
      <p>
        <a className={buttonClass('primary')} href={searchUrl ?? DEFAULT_PATH}>
          {searchUrl ? 'Back to results' : 'See all vehicles'}
        </a>
      </p>
    </article>
  );
}

/** '27,876 mi · last listed for $12,495'. */
const lastListed = ({ mileage, price }: NonNullable<Sold['removed']>): string =>
  [
    mileage === undefined ? undefined : `${formatNumber(mileage)} mi`,
    price === undefined ? undefined : `last listed for ${formatDollars(price)}`,
  ]
    .filter(Boolean)
    .join(' · ');

/** Shown for a vehicle that was sold or removed a while ago. */
export function SoldVehicle({ removed, similar, modelUrl }: Sold): ReactNode {
  return (
    <>
      <article className={`${panelClass} ${styles['notFound']}`}>
        {removed?.image && (
          <img
            className={styles['picture']}
            src={removed.image.src}
            alt={removed.image.alt}
            width={320}
            height={240}
          />
        )}
        <h1>{`${removed?.title ?? 'This vehicle'} is no longer for sale.`}</h1>
        {removed && <p className={styles['facts']}>{lastListed(removed)}</p>}
        <p>It was sold or removed by its seller. Similar ones may be just as good.</p>
        <p>
          <a className={buttonClass('primary')} href={modelUrl}>
            See all of this model
          </a>
        </p>
      </article>
      <SimilarVehicles vehicles={similar} extraParams={{}} />
    </>
  );
}
