/** What two spellings of one mailbox have in common: letters' case. Dots and tags are the mail server's business. */
export const emailKey = (address: string): string => address.trim().toLowerCase();
