import { afterEach, describe, expect, it } from '@jest/globals';
import { startShell, type ShellRig } from '../../testing/shellRig.ts';

const rigs: ShellRig[] = [];
afterEach(() => Promise.all(rigs.splice(0).map((rig) => rig.stop())));
async function start(options: Parameters<typeof startShell>[0] = {}): Promise<ShellRig> {
  const rig = await startShell(options);
  rigs.push(rig);
  return rig;
}
const PIXALL = '01234567-89ab-cdef-0123-456789abcdef';
const beacon = (body: unknown, headers: Record<string, string> = {}) => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json', Cookie: `pixallId=${PIXALL}`, ...headers },
  body: JSON.stringify(body),
});
const EVENTS = '/cars-for-sale/svc/page-event';
const STILL = '/cars-for-sale/still-interested/alert';
const batch = (...events: object[]) => ({ brand: 'kbb', page: '/cars-for-sale/all-cars', events });

describe('page events', () => {
  const VIEW = { type: 'view', name: 'vehicle', listingId: '7', position: 2 };

  // rows: B7-OTHER-03
  it('forwards usage events on the visitor’s behalf, with bounded fields', async () => {
    const { send, calls } = await start();
    const { status } = await send(
      EVENTS,
      beacon(
        batch(
          VIEW,
          { type: 'web-vital', name: 'LCP', value: 1200 },
          { type: 'click', name: 'x', extra: 'y' },
        ),
      ),
    );
    expect(status).toBe(204);
    expect(calls).toMatchObject([{ name: 'pageEvent', context: { consumerId: PIXALL } }]);
    expect(calls[0]?.context.body).toEqual({
      // The brand is the site's, whatever the page says.
      brand: 'atc',
      pixallId: PIXALL,
      page: '/cars-for-sale/all-cars',
      events: [VIEW, { type: 'click', name: 'x' }],
    });
  });

  it('does not forward events of crawlers or about the page itself', async () => {
    const { send, calls } = await start();
    await send(EVENTS, beacon(batch(VIEW), { 'User-Agent': 'Googlebot/2.1' }));
    await send(EVENTS, beacon(batch({ type: 'slot.failed', name: 'leads' })));
    expect(calls).toEqual([]);
  });

  // rows: B7-ADS-03
  it('responds with 204 when the upstream is unavailable', async () => {
    const { send } = await start({
      answers: {
        pageEvent: () => {
          throw new Error('away');
        },
      },
    });
    expect((await send(EVENTS, beacon(batch(VIEW)))).status).toBe(204);
  });

  it('records web vitals as metrics with help texts', async () => {
    const { send, metrics } = await start();
    const vital = (name: string, value: number) => ({ type: 'web-vital', name, value });
    const vitals = [
      vital('LCP', 1200),
      vital('INP', 90),
      vital('TTFB', 40),
      vital('CLS', 0.004),
      vital('made up', 1),
    ];
    await send(EVENTS, beacon(batch(...vitals)));
    const text = await metrics.metrics();
    for (const line of [
      'forecourt_web_vital_seconds_sum{name="LCP",slot="",release=""} 1.2',
      'forecourt_web_vital_seconds_sum{name="INP",slot="",release=""} 0.09',
      'forecourt_web_vital_seconds_sum{name="TTFB",slot="",release=""} 0.04',
      'forecourt_web_vital_layout_shift_sum{slot="",release=""} 0.004',
    ])
      expect(text).toContain(line);
    expect(text).not.toContain('made up');
    for (const { name, help } of await metrics.getMetricsAsJSON())
      expect(help.length).toBeGreaterThan(name.length / 2);
  });

  it('logs the request id of their page', async () => {
    const { send, log } = await start();
    const failed = { type: 'problem.reported', name: 'MAKE_OFFER_SCRIPT', message: 'x'.repeat(1000) };
    await send(EVENTS, beacon({ ...batch(failed), pageRequestId: 'page-request-1' }));
    expect(log).toContainEqual(
      expect.objectContaining({
        pageRequestId: 'page-request-1',
        event: { ...failed, message: 'x'.repeat(500) },
      }),
    );
  });

  it('logs so many failures per minute, with short paths, and counts all', async () => {
    const { send, log, metrics } = await start();
    const failures = Array<object>(100).fill({ type: 'slot.failed', name: 'x', message: 'm' });
    const body = { ...batch(...failures), page: `/${'p'.repeat(1900)}` };
    for (let request = 0; request < 4; request += 1) await send(EVENTS, beacon(body));
    const lines = log.filter(({ msg }) => msg === 'reported by a browser');
    expect(lines).toHaveLength(300);
    expect(String(lines[0]?.['page'])).toHaveLength(200);
    expect(await metrics.metrics()).toContain('forecourt_page_events_total{kind="slot.failed"} 400');
  });

  it.each([
    ['too many events', batch(...Array<object>(101).fill(VIEW))],
    ['an event without a name', batch({ type: 'view' })],
    ['a request id that is none', { ...batch(VIEW), pageRequestId: '<script>' }],
    ['no batch', []],
  ])('refuses the whole batch for %s', async (_, body) => {
    const { send, calls } = await start();
    expect((await send(EVENTS, beacon(body))).status).toBe(400);
    expect(calls).toEqual([]);
  });
});

describe('still-interested beacon', () => {
  // rows: B7-STILL-01, B7-STILL-02
  it('is forwarded with the shell’s brand and consumer', async () => {
    const { send, calls } = await start();
    const { status } = await send(
      STILL,
      beacon({ vins: ['VIN1'], email: '', brand: 'kbb', consumer_id: 'other' }),
    );
    expect(status).toBe(204);
    expect(calls).toMatchObject([
      {
        name: 'stillInterested',
        context: { body: { brand: 'atc', vins: ['VIN1'], consumer_id: PIXALL, email: '' } },
      },
    ]);
  });

  it('is refused from another origin or without a vehicle', async () => {
    const { send, calls } = await start();
    expect((await send(STILL, beacon({ vins: ['VIN1'] }, { Origin: 'https://evil.example' }))).status).toBe(
      403,
    );
    expect((await send(STILL, beacon({ vins: [] }))).status).toBe(400);
    expect(calls).toEqual([]);
  });
});

describe('service worker', () => {
  // rows: A7-SW-01, A7-SW-02
  it('is served with a scope of all pages below /cars-for-sale/', async () => {
    const { send } = await start();
    const { status, headers, text } = await send('/cars-for-sale/api/firebase-messaging-sw.js');
    expect(status).toBe(200);
    expect(headers['content-type']).toMatch(/^text\/javascript/);
    expect(headers['service-worker-allowed']).toBe('/cars-for-sale/');
    expect(headers['cache-control']).toBe('no-cache');
    expect(text).toContain('showNotification');
  });
});
