import type { ReactNode } from 'react';
import { formatDollars } from '@forecourt/search/format';
import type { Trim } from '@forecourt/upstream/entities';

/** What search engines and browsers without JavaScript get of a comparison that isn't selected. */
export function TrimList({ trims }: { trims: readonly Trim[] }): ReactNode {
  return (
    <ul>
      {trims.map(({ vehicleId, year, trimName, nationalMSRP }) => (
        <li key={vehicleId}>
          {[year, trimName, nationalMSRP ? `starting MSRP ${formatDollars(nationalMSRP)}` : '']
            .filter(Boolean)
            .join(' ')}
        </li>
      ))}
    </ul>
  );
}
