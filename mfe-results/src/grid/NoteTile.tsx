import type { ReactNode } from 'react';
import styles from './NoteTile.module.css';

/** Class of the link or button at the end of a note. */
export const noteActionClass = styles['action'];

/** A tile with text instead of a vehicle. */
export function NoteTile(props: { label: string; className?: string; children: ReactNode }): ReactNode {
  const { label, className, children } = props;
  return (
    <section
      className={className === undefined ? styles['note'] : `${styles['note']} ${className}`}
      aria-label={label}
    >
      {children}
    </section>
  );
}

/** The text of a note: a line above its title, and paragraphs. */
export function NoteText(props: { kicker: string; title: string; paragraphs: readonly string[] }): ReactNode {
  const { kicker, title, paragraphs } = props;
  return (
    <>
      <p className={styles['kicker']}>{kicker}</p>
      <h3 className={styles['title']}>{title}</h3>
      {paragraphs.map((paragraph) => (
        <p key={paragraph} className={styles['text']}>
          {paragraph}
        </p>
      ))}
    </>
  );
}
