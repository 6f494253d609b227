import { createContext, useContext, useSyncExternalStore } from 'react';
import { storedValue, storedFlag } from '@forecourt/slots/storage';
import { type ComparedVehicle, COMPARE_ROWS } from './comparedVehicle.ts';
import { COMPARE_CAPACITY } from '../constants.ts';

const NO_VEHICLES: readonly ComparedVehicle[] = [];

/**
 * The vehicles selected for comparison, at most five. One store per mounted slot; it starts
 * empty like the server's HTML and is restored from session storage after hydration.
 */
export class CompareStore {
  private vehicles = NO_VEHICLES;
  private folded = false;
  private readonly listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
  readonly all = (): readonly ComparedVehicle[] => this.vehicles;
  readonly has = (id: string): boolean => this.vehicles.some((vehicle) => vehicle.id === id);

  restore(): void {
    this.folded = storedFold.read();
    this.set(storedVehicles.read());
  }
  /** Adds a vehicle if there is room and reopens the drawer. */
  add(vehicle: ComparedVehicle): void {
    if (this.has(vehicle.id) || this.vehicles.length >= COMPARE_CAPACITY) return;
    this.save([...this.vehicles, vehicle]);
    this.fold(false);
  }
  remove(id: string): void {
    this.save(this.vehicles.filter((vehicle) => vehicle.id !== id));
  }
  clear(): void {
    this.save(NO_VEHICLES);
  }

  readonly isFolded = (): boolean => this.folded;
  fold(folded: boolean): void {
    this.folded = folded;
    storedFold.write(folded);
    this.notify();
  }

  private save(vehicles: readonly ComparedVehicle[]): void {
    this.set(vehicles);
    storedVehicles.write(vehicles);
  }
  private set(vehicles: readonly ComparedVehicle[]): void {
    this.vehicles = vehicles;
    this.notify();
  }
  private notify(): void {
    for (const listener of this.listeners) listener();
  }
}

const CompareContext = createContext<CompareStore | null>(null);
export const CompareProvider = CompareContext.Provider;

/** The slot's store; throws outside of a CompareProvider. */
export function useCompareStore(): CompareStore {
  const store = useContext(CompareContext);
  if (!store) throw new Error('useCompareStore must be used inside a CompareProvider');
  return store;
}

export const useCompared = (): readonly ComparedVehicle[] => {
  const store = useCompareStore();
  return useSyncExternalStore(store.subscribe, store.all, () => NO_VEHICLES);
};

/** Whether the drawer is folded to its bar. */
export const useFolded = (): boolean => {
  const store = useCompareStore();
  return useSyncExternalStore(store.subscribe, store.isFolded, () => false);
};

/** A card's state in the comparison; cards repaint only when it changes. */
export type CompareState = 'offered' | 'added' | 'full';
export function useCompareState(id: string): CompareState {
  const store = useCompareStore();
  const read = (): CompareState =>
    store.has(id) ? 'added' : store.all().length < COMPARE_CAPACITY ? 'offered' : 'full';
  return useSyncExternalStore(store.subscribe, read, () => 'offered');
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** Parses a stored vehicle; undefined for invalid data. */
function readVehicle(value: unknown): ComparedVehicle | undefined {
  if (!isRecord(value)) return undefined;
  const { id, title, href, picture, rows } = value;
  if (typeof id !== 'string' || typeof title !== 'string' || typeof href !== 'string') return undefined;
  // Only same-origin paths and http(s), never a script URL.
  if (!/^(\/(?!\/)|https?:)/.test(href) || !isRecord(rows)) return undefined;
  const knownRows = COMPARE_ROWS.filter(([row]) => typeof rows[row] === 'string').map(([row]) => [
    row,
    rows[row],
  ]);
  const isPicture =
    isRecord(picture) && typeof picture['src'] === 'string' && typeof picture['alt'] === 'string';
  return {
    id,
    title,
    href,
    ...(isPicture && { picture: { src: picture['src'] as string, alt: picture['alt'] as string } }),
    rows: Object.fromEntries(knownRows) as ComparedVehicle['rows'],
  };
}

function vehiclesOf(raw: unknown): readonly ComparedVehicle[] {
  if (!Array.isArray(raw)) return [];
  const vehicles = raw.map(readVehicle).filter((vehicle) => vehicle !== undefined);
  const unique = new Map(vehicles.map((vehicle) => [vehicle.id, vehicle]));
  return [...unique.values()].slice(0, COMPARE_CAPACITY);
}

/** The compared vehicles of this tab. */
const storedVehicles = storedValue('session', 'compare', vehiclesOf);

/** Whether the drawer is folded; adding a vehicle opens it. */
const storedFold = storedFlag('session', 'compareFolded');
