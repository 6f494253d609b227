import type { ReactNode } from 'react';
import { DEFAULT_PATH } from '@forecourt/search/criteria';
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

/** Shown for a vehicle that was sold or removed a while ago. */
export function SoldVehicle({ similar, modelUrl }: Sold): ReactNode {
  return (
    <>
      <article className={`${panelClass} ${styles['notFound']}`}>
        <h1>This vehicle is no longer for sale.</h1>
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
