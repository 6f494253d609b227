import type { RequestHandler } from 'express';
import { CallFailure } from '../../gateway/callFailure.ts';
import type { ShellDeps } from '../../server/deps.ts';
import { pageRoute } from '../pageRoute.ts';
import { compareRows, type Compared } from './compareRows.ts';
import { COMPARE_PATH, comparedIds, compareUrl } from './compareUrl.ts';
import { compareView } from './compareView.ts';

/** `GET /cars-for-sale/compare?listingIds=1,2`: vehicles side by side. Those that are gone are said to be. */
export function compareRoute(deps: ShellDeps): RequestHandler {
  return pageRoute(deps, async (_request, { query, call, stateOf }) => {
    const ids = comparedIds(query);
    const found = await Promise.all(
      ids.map(async (id): Promise<Compared | undefined> => {
        try {
          return await deps.gateway.call('listing', { id }, call);
        } catch (error) {
          if (error instanceof CallFailure && error.code === 'REFUSED') return undefined;
          throw error;
        }
      }),
    );
    const vehicles = found.filter((vehicle) => vehicle !== undefined);
    const current = compareUrl(ids);
    return {
      kind: 'page',
      page: {
        title:
          vehicles.length > 0
            ? `Compare ${vehicles.map(({ listing }) => listing.title).join(', ')}`
            : 'Compare vehicles',
        description: 'Vehicles side by side: price, mileage, economy, equipment and seller.',
        canonical: COMPARE_PATH,
        isIndexed: false,
        current,
        body: compareView(vehicles, compareRows(vehicles), found.length - vehicles.length),
        state: stateOf({
          url: current,
          listings: vehicles.map(({ listing }) => listing),
          owners: Object.fromEntries(vehicles.map(({ owner }) => [owner.id, owner])),
        }),
        slots: [],
      },
    };
  });
}
