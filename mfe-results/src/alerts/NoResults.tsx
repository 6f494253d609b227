import type { MouseEvent, ReactNode } from 'react';
import { useEmit } from '@forecourt/shared-contracts/slots';
import { selectSearch, usePageState } from '@forecourt/shared-contracts/store';
import { buttonClass, formatNumber } from '@forecourt/shared-contracts/ui';
import { nearMissLinks, type NearMissLink } from './nearMissLinks.ts';
import styles from './NoResults.module.css';

/** An empty or invalid search (A4-FLOW-02, A4-FLOW-03), and the single filters whose removal helps. */
export function NoResults(): ReactNode {
  const { criteria, suggestions } = usePageState(selectSearch);
  const emit = useEmit();
  const links = nearMissLinks(criteria, suggestions.nearMisses);
  const follow = (event: MouseEvent, link: NearMissLink) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    emit('search.changeRequested', { criteria: link.criteria, cause: `nearMiss:${link.name}` });
  };
  return (
    <div className={styles['empty']}>
      <p className={styles['message']}>Update filter criteria to see more results</p>
      {links.length > 0 && (
        <ul className={styles['links']}>
          {links.map((link) => (
            <li key={link.name}>
              <a
                href={link.href}
                className={buttonClass('secondary')}
                onClick={(event) => follow(event, link)}
              >
                {`Without ${link.label}: ${formatNumber(link.count)} matches`}
              </a>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
