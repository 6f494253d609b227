import type { ReactNode } from 'react';
import styles from './Panel.module.css';

/** Class of a framed part of the page that isn't a section with a heading. */
export const panelClass = styles['panel'];

/** A framed section of the page. */
export function Panel(props: {
  id?: string;
  headingId: string;
  heading: string;
  children: ReactNode;
}): ReactNode {
  const { id, headingId, heading, children } = props;
  return (
    <section className={panelClass} id={id} aria-labelledby={headingId}>
      <h2 id={headingId}>{heading}</h2>
      {children}
    </section>
  );
}
