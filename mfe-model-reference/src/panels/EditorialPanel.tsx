import type { ReactNode } from 'react';
import styles from './EditorialPanel.module.css';

export interface EditorialSection {
  readonly heading: string;
  readonly paragraphs: readonly string[];
}

/** Editorial content as text. */
export function EditorialPanel({ sections }: { sections: readonly EditorialSection[] }): ReactNode {
  return (
    <div className={styles['text']}>
      {sections.map(({ heading, paragraphs }) => (
        <section key={heading}>
          <h3 className={styles['heading']}>{heading}</h3>
          {paragraphs.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
        </section>
      ))}
    </div>
  );
}
