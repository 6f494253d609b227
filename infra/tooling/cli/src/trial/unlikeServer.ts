/** The trial's visitor is elsewhere and later: 26 h, 1 min, 1 s and 1 ms. */
const LATER_MS = 93_661_001;

/** Lets the page's clock be ahead of the server's, so that a view that shows the present time differs from the server's HTML. */
export function shiftClock(): void {
  const Real = Date;
  const now = () => Real.now() + LATER_MS;
  globalThis.Date = new Proxy(Real, {
    construct: (target, given: unknown[], newTarget) =>
      Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget) as object,
    apply: () => new Real(now()).toString(),
    get: (target, key, receiver) => (key === 'now' ? now : (Reflect.get(target, key, receiver) as unknown)),
  });
}

type Format = new (locales?: unknown, options?: unknown) => object;

/** Lets what formats without a locale do so in the visitor's language, which is not the server's. */
export function speakOtherLanguage(): void {
  const { language } = navigator;
  const methods: readonly (readonly [prototype: object, name: string])[] = [
    ...[Number.prototype, BigInt.prototype, Date.prototype].map(
      (prototype) => [prototype, 'toLocaleString'] as const,
    ),
    [Date.prototype, 'toLocaleDateString'],
    [Date.prototype, 'toLocaleTimeString'],
  ];
  for (const [prototype, name] of methods) {
    const owner = prototype as Record<string, (locales?: unknown, options?: unknown) => string>;
    const format = owner[name];
    owner[name] = function formatInLanguage(locales = language, options) {
      return format?.call(this, locales, options) ?? '';
    };
  }
  const formats = Intl as unknown as Record<string, Format>;
  for (const name of ['NumberFormat', 'DateTimeFormat', 'ListFormat', 'RelativeTimeFormat', 'PluralRules']) {
    const Original = formats[name];
    if (!Original) continue;
    const inLanguage = ([locales = language, options]: unknown[]) => new Original(locales, options);
    formats[name] = new Proxy(Original, {
      construct: (_, given: unknown[]) => inLanguage(given),
      apply: (_, __, given: unknown[]) => inLanguage(given),
    });
  }
}

/** Runs something while every key is in the page's storage, as for a visitor who has been here before. */
export async function withFilledStorage<T>(run: () => Promise<T>): Promise<T> {
  const { prototype } = Storage;
  const original = Object.getOwnPropertyDescriptor(prototype, 'getItem') ?? {};
  Object.defineProperty(prototype, 'getItem', { ...original, value: () => '1' });
  try {
    return await run();
  } finally {
    Object.defineProperty(prototype, 'getItem', original);
  }
}

/** How the HTML of a browser differs from that of the server, from shortly before the first difference. */
export function describeDifference(server: string, browser: string): string {
  let at = 0;
  while (at < server.length && server[at] === browser[at]) at += 1;
  const around = (html: string) => html.slice(Math.max(0, at - 40), at + 80);
  return `'${around(browser)}' where the server has '${around(server)}'`;
}
