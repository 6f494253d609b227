import type { EmailSample } from '@forecourt/service-kit/email';
import { knownAddressMail, type Place, resetMail, signUpMail, unknownAddressMail } from './accounts.ts';
import type { Mail } from '../mail/outbox.ts';

const TO = 'ada@example.com';
const SECRET = 'a-sample-of-a-secret';

const sampleOf = ({ subject, text, html = '' }: Mail): EmailSample => ({ subject, text, html });

/** Each email of the service with made-up content. */
export function emailSamples(site: Pick<Place, 'issuer' | 'shop'>): Record<string, EmailSample> {
  const place: Place = { ...site, brand: 'atc', visit: 'sample' };
  return {
    signUp: sampleOf(signUpMail(TO, place, SECRET)),
    knownAddress: sampleOf(knownAddressMail(TO, place)),
    reset: sampleOf(resetMail(TO, place, SECRET)),
    unknownAddress: sampleOf(unknownAddressMail(TO, place)),
  };
}
