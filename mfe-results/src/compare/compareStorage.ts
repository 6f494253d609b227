import { COMPARE_CAPACITY } from '@forecourt/shared-contracts/rules';
import { COMPARE_ROWS, type ComparedVehicle } from './comparedVehicle.ts';

const KEY = 'compare';

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

/** The compared vehicles of this tab; none when storage is blocked or holds something else. */
export function readCompared(): readonly ComparedVehicle[] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '[]');
    if (!Array.isArray(stored)) return [];
    const vehicles = stored.map(readVehicle).filter((vehicle) => vehicle !== undefined);
    const unique = new Map(vehicles.map((vehicle) => [vehicle.id, vehicle]));
    return [...unique.values()].slice(0, COMPARE_CAPACITY);
  } catch {
    return [];
  }
}

export function writeCompared(vehicles: readonly ComparedVehicle[]): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(vehicles));
  } catch {
    // Without storage the comparison lives as long as the page.
  }
}
