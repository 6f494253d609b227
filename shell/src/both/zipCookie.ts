/** The ZIP that a visitor has chosen: written in the browser, read by the server (AMB-031). */
export const ZIP_COOKIE = 'zip';
