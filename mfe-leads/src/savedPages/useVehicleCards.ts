import { useEffect, useRef, useState } from 'react';
import { type Call, useSlotEnvironment } from '@forecourt/slots';
import { cardOf, loadSoldCard, type VehicleCard } from './vehicleCard.ts';

async function loadCard(id: string, call: Call): Promise<VehicleCard | null> {
  const vehicle = await call('vehicle', { id }).catch(() => null);
  return vehicle ? cardOf(vehicle.listing, vehicle.owner) : loadSoldCard(id, call);
}

/** Cards by listing id, loaded in the browser: missing while they load, null if they could not be loaded. */
export function useVehicleCards(ids: readonly string[]): Readonly<Record<string, VehicleCard | null>> {
  const { call } = useSlotEnvironment();
  const [cards, setCards] = useState<Readonly<Record<string, VehicleCard | null>>>({});
  const requested = useRef(new Set<string>());
  useEffect(() => {
    for (const id of ids) {
      if (requested.current.has(id)) continue;
      requested.current.add(id);
      void loadCard(id, call).then((card) => setCards((others) => ({ ...others, [id]: card })));
    }
  }, [ids, call]);
  return cards;
}
