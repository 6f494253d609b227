import { COMPARE_CAPACITY } from '@forecourt/shared-contracts/rules';
import { storedValue, storedFlag } from '@forecourt/shared-contracts/store';
import { COMPARE_ROWS, type ComparedVehicle } from './comparedVehicle.ts';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** One stored vehicle; undefined for anything else, e.g. what an older release wrote. */
function readVehicle(value: unknown): ComparedVehicle | undefined {
  if (!isRecord(value)) return undefined;
  const { id, title, href, picture, rows } = value;
  if (typeof id !== 'string' || typeof title !== 'string' || typeof href !== 'string') return undefined;
  // A path of this origin, or a web page: never a script.
  if (!/^(\/(?!\/)|https?:)/.test(href) || !isRecord(rows)) return undefined;
  const known = COMPARE_ROWS.filter(([row]) => typeof rows[row] === 'string').map(([row]) => [
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
    rows: Object.fromEntries(known) as ComparedVehicle['rows'],
  };
}

function vehiclesOf(raw: unknown): readonly ComparedVehicle[] {
  if (!Array.isArray(raw)) return [];
  const vehicles = raw.map(readVehicle).filter((vehicle) => vehicle !== undefined);
  const unique = new Map(vehicles.map((vehicle) => [vehicle.id, vehicle]));
  return [...unique.values()].slice(0, COMPARE_CAPACITY);
}

/** The compared vehicles of this tab; none when storage is blocked or holds something else. */
export const keptVehicles = storedValue('session', 'compare', vehiclesOf);

/** The drawer was folded, and no vehicle was added since. */
export const keptFold = storedFlag('session', 'compareFolded');
