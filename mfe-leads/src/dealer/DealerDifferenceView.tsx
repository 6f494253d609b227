import type { ReactNode } from 'react';
import { buttonClass } from '@forecourt/shared-contracts/ui';
import { RichText } from '../richText/RichText.tsx';
import styles from './dealer.module.css';
import type { DealerDifference } from './loadDealerDifference.ts';

/** Only pages are linked: the address is the dealer's own text. */
const isPage = (href: string) => /^(?:https?:\/\/|\/(?![/\\]))/i.test(href);

/** A dealer's own words on why to buy there (A2-UI-09). */
export function DealerDifferenceView({
  dealer,
  name,
}: {
  dealer: DealerDifference;
  name: string;
}): ReactNode {
  const { cta, htmlContent, logo } = dealer;
  return (
    <div className={styles['content']}>
      {logo && <img className={styles['logo']} src={logo} alt={name} height={56} />}
      <RichText html={htmlContent} />
      {isPage(cta.link) && (
        <p>
          <a
            className={buttonClass('primary')}
            href={cta.link}
            {...(cta.offsite && { target: '_blank', rel: 'noopener noreferrer' })}
          >
            {cta.label}
          </a>
        </p>
      )}
    </div>
  );
}
