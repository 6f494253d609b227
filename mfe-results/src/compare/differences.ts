import type { ComparedVehicle, CompareRow } from './comparedVehicle.ts';

/** Do the vehicles differ in a row? What is not known differs from what is. */
export const differs = (vehicles: readonly ComparedVehicle[], row: CompareRow): boolean =>
  new Set(vehicles.map(({ rows }) => rows[row])).size > 1;
