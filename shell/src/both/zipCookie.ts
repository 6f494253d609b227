/** Cookie of the visitor's ZIP: written by the browser, read by the server (AMB-031). */
export const ZIP_COOKIE = 'zip';
