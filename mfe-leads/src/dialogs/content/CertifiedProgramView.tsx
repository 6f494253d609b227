import type { ReactNode } from 'react';
import styles from './CertifiedProgramView.module.css';
import type { CertifiedProgram } from './loadContent.ts';
import { RichText } from './RichText.tsx';
import { ContentFrame } from './ContentFrame.tsx';

/** Benefits of a certified program, with its sponsor. */
export function CertifiedProgramView({ program, sponsor }: CertifiedProgram): ReactNode {
  return (
    <ContentFrame logo={{ src: sponsor.logo, name: program.makeLabel }}>
      <RichText content={program.content} />
      {JSON.stringify(sponsor.content) !== JSON.stringify(program.content) && (
        <section className={styles['sponsor']}>
          <h3>{sponsor.heading}</h3>
          <RichText content={sponsor.content} />
        </section>
      )}
    </ContentFrame>
  );
}
