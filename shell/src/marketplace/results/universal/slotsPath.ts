import { RESULTS_PATH } from '@forecourt/search/criteria';

/** Responds with the slots of the results page at `?url=`, and with its normalized URL as `Content-Location`. */
export const SLOTS_PATH = `${RESULTS_PATH}/api/slots`;
