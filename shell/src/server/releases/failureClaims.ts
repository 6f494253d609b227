import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** Time after the page was sent in which its failures count; s. */
const LIFETIME_SECONDS = 30 * 60;
/** Separates the fields of a claim, none of which can contain it; JSON and HTML need no escapes. */
const SEPARATOR = ' ';
const FIELDS = 4;

/** A page that the shell sent. */
interface PageView {
  /** Request id of the response. */
  readonly id: string;
  /** Ids of the releases that are being compared, e.g. 'mfe-results@1.4.0'. */
  readonly releases: readonly string[];
}

export type ClaimRefusal = 'unsigned' | 'forged' | 'expired';

/** What a page sends back with its failures, to prove that the shell sent it to this visitor. */
export interface FailureClaims {
  /** The claim of a page view; '' if it has no release that is being compared. */
  readonly sign: (view: PageView, visitor: string) => string;
  readonly read: (
    claim: string,
    visitor: string,
  ) => { readonly view: PageView } | { readonly refusal: ClaimRefusal };
}

/** Signs with a key derived from the session secret, which all replicas share. `now` is in ms since 1970. */
export function createFailureClaims(sessionSecret: string, now: () => number): FailureClaims {
  const key = Buffer.from(hkdfSync('sha256', sessionSecret, '', 'browser failure claims', 32));

  /** The visitor comes last: a cookie must not be able to shift the other fields. */
  const signatureOf = (fields: readonly string[], visitor: string) =>
    createHmac('sha256', key)
      .update([...fields, visitor].join(SEPARATOR))
      .digest('base64url');

  return {
    sign({ id, releases }, visitor) {
      if (releases.length === 0) return '';
      const expires = Math.floor(now() / 1000) + LIFETIME_SECONDS;
      const fields = [String(expires), id, releases.join(',')];
      return [...fields, signatureOf(fields, visitor)].join(SEPARATOR);
    },
    read(claim, visitor) {
      if (claim === '') return { refusal: 'unsigned' };
      const parts = claim.split(SEPARATOR);
      if (parts.length !== FIELDS) return { refusal: 'forged' };
      const [expires = '', id = '', releases = '', signature = ''] = parts;
      // Compares texts: base64url has several spellings of the same bytes.
      const received = Buffer.from(signature);
      const expected = Buffer.from(signatureOf([expires, id, releases], visitor));
      if (received.length !== expected.length || !timingSafeEqual(received, expected))
        return { refusal: 'forged' };
      if (Number(expires) * 1000 <= now()) return { refusal: 'expired' };
      return { view: { id, releases: releases.split(',') } };
    },
  };
}
