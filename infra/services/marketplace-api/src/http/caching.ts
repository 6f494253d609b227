import type { NextFunction, Response } from 'express';

/** Fits routes of any path: it never reads the request. */
type Middleware = (request: unknown, response: Response, next: NextFunction) => void;

/** Catalogue facts and content: made with the release, the same for everybody. */
export const ONE_HOUR = 'public, max-age=3600';
export const ONE_DAY = 'public, max-age=86400';
/** Counts of what is for sale. */
export const ONE_MINUTE = 'public, max-age=60';

/** Answers below it may be kept for so long; express adds the ETag. */
export const cacheable =
  (control: string): Middleware =>
  (_, response, next) => {
    response.set('Cache-Control', control);
    next();
  };

/** A person's own data is kept by nobody. */
export const noStore: Middleware = cacheable('no-store');
