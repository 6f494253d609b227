import { type ReactNode, useEffect, useRef, useState } from 'react';
import { BRANDS } from '@forecourt/search/brands';
import { selectSession } from '@forecourt/search/state';
import { recentListingsStorage } from '@forecourt/search/storage';
import { useSlotEnvironment, usePageState } from '@forecourt/slots';
import { storedIds } from '@forecourt/slots/storage';
import { Button } from '@forecourt/slots/ui';
import { useIdle, whenNear } from '../browser/lazyLoading.tsx';
import { VehicleCards, type VehicleWithSeller } from './VehicleCards.tsx';

/** One row of the widest layout. */
const MAX_SHOWN = 5;

/** VINs of the vehicle pages opened in this browser, newest first; one more than is shown, for the current page. */
const recentVins = storedIds('local', 'recentVehicles', MAX_SHOWN + 1);

/** Those still for sale, newest first; loaded when the list comes near the viewport. */
function useRecentVehicles(current: string | undefined) {
  const { call, emit } = useSlotEnvironment();
  const brand = usePageState(({ session }) => session.brand);
  const ref = useRef<HTMLElement>(null);
  const [vins, setVins] = useState(() => recentVins.read().filter((vin) => vin !== current));
  const [vehicles, setVehicles] = useState<readonly VehicleWithSeller[]>();
  useEffect(() => {
    if (current !== undefined)
      recentVins.write([current, ...recentVins.read().filter((vin) => vin !== current)]);
  }, [current]);
  useEffect(() => {
    const element = ref.current;
    if (!element || vins.length === 0) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    const load = async () => {
      const params = {
        collapseFilters: 'true',
        vin: vins.slice(0, MAX_SHOWN).join(','),
        channel: BRANDS[brand].channel,
      };
      const { listings, owners } = await call('listingsByVin', params, { signal });
      const owner = new Map(owners.map((each) => [each.id, each]));
      const listingsByVin = new Map(listings.map((listing) => [listing.vin, listing]));
      const recentListings = vins.flatMap((vin) => listingsByVin.get(vin) ?? []);
      setVehicles(recentListings.map((listing) => ({ listing, owner: owner.get(listing.ownerId) })));
    };
    const stopWaiting = whenNear(element, () => {
      load().catch(() => !signal.aborted && setVehicles([]));
    });
    return () => {
      stopWaiting();
      controller.abort();
    };
  }, [vins, brand, call]);
  const clear = () => {
    recentVins.write([]);
    recentListingsStorage.write([]);
    setVins([]);
    setVehicles(undefined);
    emit('page.announced', { message: 'Recently viewed vehicles cleared.' });
    call('clearBrowsingHistory', {}).catch((error: unknown) =>
      emit('problem.reported', { code: 'BROWSING_HISTORY_FAILED', message: String(error) }),
    );
  };
  return { ref, vins, vehicles, clear };
}

/**
 * The vehicles that this browser showed last. The list is stored in the browser alone, and its place comes after all
 * other content, so nothing shifts. `current`: VIN of the page's own vehicle.
 */
export function RecentVehicles({ current }: { current?: string }): ReactNode {
  const { isBot } = usePageState(selectSession);
  return useIdle() && !isBot && <RecentList {...(current !== undefined && { current })} />;
}

function RecentList({ current }: { current?: string }): ReactNode {
  const { ref, vins, vehicles, clear } = useRecentVehicles(current);
  if (vins.length === 0 || vehicles?.length === 0) return null;
  return (
    <VehicleCards
      sectionRef={ref}
      headingId="recent-title"
      heading="Recently viewed"
      action={
        <Button look="quiet" onClick={clear}>
          Clear
        </Button>
      }
      vehicles={vehicles}
      placeholders={vins.slice(0, MAX_SHOWN)}
    />
  );
}
