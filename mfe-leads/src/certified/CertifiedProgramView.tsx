import type { ReactNode } from 'react';
import { RichText } from '../richText/RichText.tsx';
import styles from '../dealer/dealer.module.css';
import type { CertifiedProgram } from './loadCertifiedProgram.ts';

/** What a certified program promises, and who stands for it (B1-OFFER-06, B2-MODAL-09). */
export function CertifiedProgramView({ program, sponsor }: CertifiedProgram): ReactNode {
  return (
    <div className={styles['content']}>
      {sponsor.logo && (
        <img className={styles['logo']} src={sponsor.logo} alt={program.makeLabel} height={56} />
      )}
      <RichText html={program.content} />
      {sponsor.content !== program.content && (
        <section className={styles['content']}>
          <h3>{sponsor.heading}</h3>
          <RichText html={sponsor.content} />
        </section>
      )}
    </div>
  );
}
