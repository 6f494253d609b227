import { defineSlot, usePageState } from '@forecourt/slots';
import type { ReactNode } from 'react';
import styles from './related.later.module.css';

/** Links to narrower searches, for visitors at the end of the page and for search engines. */
function Related(): ReactNode {
  const paths = usePageState((state) => state.search.crawlPaths);
  if (paths.length === 0) return null;
  return (
    <nav aria-labelledby="fc-related" className={styles['related']}>
      <h2 id="fc-related" className={styles['heading']}>
        Related searches
      </h2>
      <ul className={styles['list']}>
        {paths.map(({ label, href }) => (
          <li key={href}>
            <a href={href}>{label}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

export default defineSlot({ reads: ['search.crawlPaths'], view: Related });
