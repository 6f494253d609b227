import { setTimeout as wait } from 'node:timers/promises';
import { BROWSER_USER_AGENT } from './serverHtml.ts';

export interface Visit {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** ms until the first bytes, which are headers and head. */
  readonly firstMs: number;
}

interface Request {
  readonly form?: Readonly<Record<string, string>>;
  /** Body of a write through the shell's call API. */
  readonly json?: object;
}

const MAX_REDIRECTS = 12;
const TIMEOUT_MS = 40_000;
const PASSWORD = 'four words about cars';

/** A visitor over HTTP, with a cookie jar per origin. */
export class Shopper {
  readonly #cookies = new Map<string, Map<string, string>>();

  /** Another browser with the same cookies. */
  copy(): Shopper {
    const copy = new Shopper();
    for (const [origin, jar] of this.#cookies) copy.#cookies.set(origin, new Map(jar));
    return copy;
  }

  cookieNames(origin: string): readonly string[] {
    return [...(this.#cookies.get(origin)?.keys() ?? [])];
  }

  /** As a header. */
  cookiesOf(origin: string): string {
    return [...(this.#cookies.get(origin) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  /** One request; redirects are not followed. */
  async send(url: string, { form, json }: Request = {}): Promise<Visit> {
    const { origin } = new URL(url);
    const jar = this.#cookies.get(origin) ?? new Map<string, string>();
    this.#cookies.set(origin, jar);
    const body = json ? JSON.stringify(json) : form && new URLSearchParams(form).toString();
    const startedAt = performance.now();
    const response = await fetch(url, {
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: {
        'user-agent': BROWSER_USER_AGENT,
        cookie: this.cookiesOf(origin),
        ...(body !== undefined && { origin }),
        ...(json && { 'content-type': 'application/json', 'x-requested-with': 'forecourt' }),
        ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(body !== undefined && { method: 'POST', body }),
    });
    const firstMs = performance.now() - startedAt;
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    const { status, headers } = response;
    return { url, status, headers, firstMs, text: await response.text() };
  }

  /** Sends a request and follows its redirects, also those of pages that lead on by themselves. */
  async open(url: string, request: Request = {}): Promise<Visit> {
    let visit = await this.send(url, request);
    for (let redirects = 0; ; redirects += 1) {
      const next =
        visit.headers.get('location') ?? /^0; url=(.*)$/.exec(visit.headers.get('refresh') ?? '')?.[1];
      if (next === undefined) return visit;
      if (redirects === MAX_REDIRECTS) throw new Error(`too many redirects from ${url}`);
      visit = await this.send(new URL(next, visit.url).href);
    }
  }

  /** A write through the shell's call API. @throws Error unless it is acknowledged */
  async write(shell: string, call: string, params: Readonly<Record<string, string>>, json: object = {}) {
    const query = new URLSearchParams(params).toString();
    const { status, text } = await this.send(`${shell}/cars-for-sale/api/call/${call}?${query}`, { json });
    if (status !== 200 || text.includes('"error"')) throw new Error(`${call}: ${status} ${text}`);
  }
}

const csrfOf = ({ text }: Visit): string => /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '';

/** Origin and path of the sign-in form that a visitor was sent to. */
function interactionOf({ url, status }: Visit): string {
  const visit = /^.*\/interaction\/[\w-]+/.exec(url)?.[0];
  if (visit === undefined) throw new Error(`sign-in stopped at ${url} with ${status}`);
  return visit;
}

/** Another browser of an account's owner, signed in with the password. @throws Error when it is refused */
export async function signIn(shell: string, email: string, shopper = new Shopper()): Promise<Shopper> {
  const page = await shopper.open(`${shell}/account/sign-in?refUrl=%2Faccount`);
  const form = { csrf: csrfOf(page), email, password: PASSWORD };
  const account = await shopper.open(`${interactionOf(page)}/sign-in`, { form });
  if (account.status !== 200 || !account.url.startsWith(shell))
    throw new Error(`sign-in ended at ${account.url} with ${account.status}`);
  return shopper;
}

/**
 * Creates an account through the forms and the email, and returns its signed-in owner. `readMail` returns the text of
 * the newest emails; default: the outbox of local mode.
 */
export async function signUp(
  shell: string,
  identity: string,
  email = `shopper.${Date.now()}@example.com`,
  readMail = async () => (await new Shopper().open(`${identity}/outbox`)).text,
): Promise<Shopper> {
  const shopper = new Shopper();
  const page = await shopper.open(`${shell}/account/sign-in?defaultScreen=signup&refUrl=%2Faccount`);
  const visit = interactionOf(page);
  const form = { csrf: csrfOf(page), name: 'Ada Byron', email, password: PASSWORD };
  await shopper.open(`${visit}/sign-up`, { form });
  let link: string | undefined;
  for (let attempt = 0; link === undefined && attempt < 50; attempt += 1) {
    await wait(100);
    link = new RegExp(`${new URL(visit).pathname}/confirm/[\\w-]+`).exec(await readMail())?.[0];
  }
  if (link === undefined) throw new Error('the confirmation has not been sent');
  const url = new URL(link, visit).href;
  const account = await shopper.open(url, { form: { csrf: csrfOf(await shopper.open(url)) } });
  if (account.status !== 200 || !account.url.startsWith(shell))
    throw new Error(`sign-up ended at ${account.url} with ${account.status}`);
  return shopper;
}
