import type { SeenVehicle } from './candidates.ts';

const KEY = 'browsingHistory';

/** The last fetched history; kept for the session, so that a reload within two minutes asks nothing again. */
export interface FetchedHistory {
  /** ms since 1970. */
  readonly at: number;
  readonly vehicles: readonly SeenVehicle[];
}

const isVehicle = (value: unknown): value is SeenVehicle => {
  const vehicle = value as Partial<SeenVehicle> | null;
  return (
    typeof vehicle?.listingId === 'string' &&
    typeof vehicle.vin === 'string' &&
    typeof vehicle.viewedAt === 'number'
  );
};

/** Undefined when nothing is kept, or nothing that can be read. */
export function readHistory(): FetchedHistory | undefined {
  try {
    const stored = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Partial<FetchedHistory> | null;
    if (typeof stored?.at !== 'number' || !Array.isArray(stored.vehicles)) return undefined;
    return { at: stored.at, vehicles: stored.vehicles.filter(isVehicle) };
  } catch {
    return undefined;
  }
}

export function keepHistory(history: FetchedHistory): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(history));
  } catch {
    // Without storage a reload asks again.
  }
}
