/** The stack that the runner has started for all tests which only read, or write what nobody else minds. */
function originOf(variable: string): string {
  const text = process.env[variable];
  if (!text)
    throw new Error(`${variable} is missing: run the tests with \`npm run e2e\`, or name a running stack`);
  return new URL(text).origin;
}

/** Origin of the shell, e.g. 'http://localhost:5000'. */
export const shellOrigin = (): string => originOf('E2E_BASE_URL');
/** Origin of the marketplace API behind that shell. */
export const apiOrigin = (): string => originOf('E2E_API_URL');

/** Ford F-150s near Chicago, by the normalised address. */
export const F150_NEAR_CHICAGO = '/cars-for-sale/all/ford/f150?searchRadius=50&zip=60601';
/** More of them than a page holds. */
export const FORDS_NEAR_CHICAGO = '/cars-for-sale/all/ford?searchRadius=50&zip=60601';
