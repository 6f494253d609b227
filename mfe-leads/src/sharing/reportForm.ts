/** Name under which the report of a listing is kept while it is written. */
export const reportForm = (listingId: string): string => `report:${listingId}`;
