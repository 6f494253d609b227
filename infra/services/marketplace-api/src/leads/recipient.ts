import type { StockOwner } from '../domain/stock.ts';

/** Where private sellers' mails are relayed to: their own addresses are told to nobody. */
const PRIVATE_SELLERS = 'sellers.example';

/**
 * Where a seller receives messages: the one address that the configuration
 * names for all, else the leads' mailbox of the dealer's own domain.
 */
export function recipientOf(owner: StockOwner, forAll?: string): string {
  if (forAll !== undefined) return forAll;
  const host = owner.sellerType === 'd' && owner.website && URL.parse(owner.website)?.hostname;
  return host ? `leads@${host.replace(/^www\./, '')}` : `seller-${owner.id}@${PRIVATE_SELLERS}`;
}
