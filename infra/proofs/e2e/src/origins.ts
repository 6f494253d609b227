/** Of the stack that the runner has started for all tests which only read, or write what nobody else minds. */
function known(variable: string): string {
  const text = process.env[variable];
  if (!text)
    throw new Error(`${variable} is missing: run the tests with \`npm run e2e\`, or name a running stack`);
  return text;
}
const originOf = (variable: string): string => new URL(known(variable)).origin;

/** Origin of the shell, e.g. 'http://localhost:5000'. */
export const shellOrigin = (): string => originOf('E2E_BASE_URL');
/** Origin of the marketplace API behind that shell. */
export const apiOrigin = (): string => originOf('E2E_API_URL');

/** Folder where that stack keeps its databases and logs. */
export const dataDir = (): string => known('E2E_DATA_DIR');

/** Ford F-150s near Chicago, by the normalised address. */
export const F150_NEAR_CHICAGO = '/cars-for-sale/all/ford/f150?searchRadius=50&zip=60601';
/** More of them than a page holds. */
export const FORDS_NEAR_CHICAGO = '/cars-for-sale/all/ford?searchRadius=50&zip=60601';
