import { useId, type ReactNode } from 'react';
import { BRANDS } from '@forecourt/shared-contracts/brands';
import { usePageState } from '@forecourt/shared-contracts/store';
import styles from './ProgramNote.module.css';
import { MONEY_BACK_TEXT, priceCapText, programCopyOf, THIRD_PARTY_WARRANTY_TEXT } from './programCopy.ts';

/** What the programs of a search's vehicles promise: the brand's own one, third parties' warranty, the money-back guarantee. */
export function ProgramNote(): ReactNode {
  const brand = usePageState(({ session }) => BRANDS[session.brand]);
  const filters = usePageState(({ search }) => search.criteria.filters);
  const headingId = useId();
  const copy = programCopyOf(brand);
  const cap = priceCapText(brand, filters);
  const hasThirdParty = filters.listingType?.includes('3P_CERT') ?? false;
  const hasMoneyBack = !copy && filters.vehicleExchange !== undefined;
  if (!copy && !hasThirdParty && !hasMoneyBack) return null;
  return (
    <section className={styles['note']} aria-labelledby={copy ? headingId : undefined} data-program>
      {cap && <p>{cap}</p>}
      {copy && (
        <details>
          <summary id={headingId} className={styles['summary']}>
            {copy.heading}
          </summary>
          <p>{copy.intro}</p>
          <ul className={styles['points']}>
            {copy.points.map((point) => (
              <li key={point}>{point}</li>
            ))}
          </ul>
        </details>
      )}
      {hasMoneyBack && <p>{`These vehicles have a ${MONEY_BACK_TEXT}, whichever comes first.`}</p>}
      {hasThirdParty && <p>{THIRD_PARTY_WARRANTY_TEXT}</p>}
    </section>
  );
}
