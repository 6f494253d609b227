/** Cookie of the visitor's ZIP: written by the browser, read by the server. */
export const ZIP_COOKIE = 'zip';
