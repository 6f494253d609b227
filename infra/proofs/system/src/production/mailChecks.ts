import { readFileSync } from 'node:fs';
import { Shopper } from '@forecourt/harness/shopper';
import { equal, type Finding, until } from '../proof.ts';
import { MAIL_PORTS } from './hosts.data.ts';
import type { MAIL_SERVERS, OtherSite } from './services.ts';
import type { Internet } from './startInternet.ts';

/** Subscribes a new address, which has to confirm by an email. */
async function subscribe({ site }: OtherSite, name: string): Promise<string> {
  const emailAddress = `${name.toLowerCase()}@example.com`;
  const alert = { emailAddress, brand: 'atc', search: '/cars-for-sale/all/ford' };
  await new Shopper().write(site, 'subscribeAlert', {}, alert);
  return emailAddress;
}

/** Codes of emails that the API could not deliver since its start. */
const failuresOf = ({ log }: OtherSite): string[] =>
  readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line.includes('mail not delivered yet'))
    .map((line) => (JSON.parse(line) as { err: { code: string } }).err.code);

/** Servers that get no email, with the code of the failure. */
const REFUSED = [
  ['plain', 'without TLS', 'ETLS'],
  ['forgedStarttls', 'with a certificate of others, by STARTTLS', 'ESOCKET'],
  ['forgedImplicitTls', 'with a certificate of others, by implicit TLS', 'ESOCKET'],
] as const satisfies readonly (readonly [keyof typeof MAIL_SERVERS, string, string])[];

/** Emails of the API by implicit TLS, and to servers that must not get any. */
export async function checkMail(other: OtherSite, internet: Internet): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [server, what, code] of REFUSED) {
    await other.startApi(server);
    const before = internet.emails().length;
    await subscribe(other, server);
    await until('the mail is not delivered', () => failuresOf(other).length > 0);
    findings.push(
      equal(`Mail to a server ${what}: code in the log`, failuresOf(other)[0] ?? '', code),
      equal(`Mail to a server ${what}: emails that it was told of`, internet.emails().length - before, 0),
    );
  }
  await other.startApi('implicitTls');
  const address = await subscribe(other, 'implicit');
  const arrivals = () => internet.emails().filter(({ source }) => source.includes(`To: ${address}`));
  await until('the mail arrives by implicit TLS', () => arrivals().length > 0);
  const { port, isTls } = arrivals()[0]!;
  findings.push(
    equal('Mail by implicit TLS: arrives at port', port, MAIL_PORTS.implicitTls),
    equal('Mail by implicit TLS: encrypted', isTls ? 'yes' : 'no', 'yes'),
  );
  return findings;
}
