import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { findPostgres, type PostgresServer, startPostgres } from '@forecourt/service-kit/testing';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { openLimits } from './openLimits.ts';

const programs = findPostgres();
if (!programs) it.skip('skipped: no PostgreSQL', () => undefined);
else {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres(programs);
  }, 60_000);
  afterAll(() => server.stop());

  it('reports outages of shared counts once, by a line and a metric', async () => {
    const lines: { level: number; msg: string }[] = [];
    const metrics = new Registry();
    const logger = pino({}, { write: (line) => lines.push(JSON.parse(line) as (typeof lines)[number]) });
    const limits = openLimits(server.url, { logger, metrics });
    const store = limits.store({ name: 'renders', windowMs: 3_600_000, limit: 1000 });
    const exchange = async () => {
      await store.increment('client');
      await limits.exchange();
      return (await metrics.getSingleMetric('forecourt_limits_shared')!.get()).values[0]?.value;
    };
    expect(await exchange()).toBe(1);
    await server.crash();
    expect([await exchange(), await exchange(), await exchange()]).toEqual([0, 0, 0]);
    expect(lines.map(({ msg }) => msg)).toEqual(['rate limits count for this shell alone']);
    await server.start();
    expect([await exchange(), await exchange()]).toEqual([1, 1]);
    expect(lines.map(({ msg }) => msg).slice(1)).toEqual(['rate limits count for all shells again']);
    await limits.close();
  });
}
