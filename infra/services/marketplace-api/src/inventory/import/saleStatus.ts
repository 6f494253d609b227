/**
 * Words for the state of a vehicle in dealers' systems: Google's and Meta's `availability` (in stock, out of stock,
 * preorder, discontinued, available, not available, pending), vehicle statuses of inventory systems.
 */
const NOT_FOR_SALE =
  /\bsold\b|^s$|pending|deposit|reserved|on[ -]?hold|^hold$|wholesale|whsl|auction|archived?|inactive|deleted?|removed?|discontinued|out[ _-]?of[ _-]?stock|\b(?:not|un)[ _-]?available|unavailable|not for sale|delivered|deal in progress|under contract|loaner|service|draft|expired|returned|traded|totaled|retired|^(?:false|no|n|0)$/i;
const FOR_SALE =
  /^(?:a|active|available|in[ _-]?stock|stock|for[ _-]?sale|live|listed|published|new|used|certified|cpo|retail|front ?line.*|ready|ready for sale|on (?:the )?lot|in[ _-]?transit|transit|incoming|arriving.*|coming soon|pre-?order|in production|special|featured|demo|yes|y|true|1|on[ _-]?line|current|open|unsold|not sold|intransit|online only)$/i;

/** Whether a vehicle is for sale by its status; undefined for words that say neither. */
export function isForSale(status: string): boolean | undefined {
  const text = status.trim();
  if (FOR_SALE.test(text)) return true;
  return NOT_FOR_SALE.test(text) ? false : undefined;
}
