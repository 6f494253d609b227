import type { ReactNode } from 'react';
import styles from './EditorialPanel.module.css';

interface EditorialSection {
  readonly heading: string;
  readonly paragraphs: readonly string[];
}

/** Editorial content as text. */
export function EditorialPanel({ sections }: { sections: readonly EditorialSection[] }): ReactNode {
  return (
    <div className={styles['editorial']}>
      {sections.map(({ heading, paragraphs }) => (
        <section key={heading}>
          <h3 className={styles['subheading']}>{heading}</h3>
          {paragraphs.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
        </section>
      ))}
    </div>
  );
}
