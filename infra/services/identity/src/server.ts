import { createServer } from 'node:http';
import { createSmtp } from '@forecourt/service-kit/mail';
import { createRateCounters, sweepRateCounters } from '@forecourt/service-kit/rateCounters';
import { createLog } from '@forecourt/service-kit/log';
import { closeGently, STOP_MS, stopOnSignals } from '@forecourt/service-kit/gracefulStop';
import { failStart } from '@forecourt/service-kit/start';
import { startTracing, traceSql } from '@forecourt/service-kit/tracing';
import { collectDefaultMetrics } from 'prom-client';
import { createAccounts } from './accounts/accounts.ts';
import { createAccountStore, createLinks } from './store/accountStore.ts';
import { openStorage } from './openStorage.ts';
import { createApp } from './app.ts';
import { readConfig } from './config.ts';
import { createMetrics } from './http/middleware.ts';
import { createMailOutbox, createMailSender } from './mail/outbox.ts';
import { createAdapterFactory, createEndSessions, sweepArtifacts } from './oidc/storage.ts';

/** ms between two cleanups of expired data. */
const SWEEP_INTERVAL_MS = 3_600_000;
/** ms between two checks for due mails. */
const MAIL_INTERVAL_MS = 1000;

const SERVICE = 'identity';

const fail = (error: unknown, port?: number): never =>
  failStart(SERVICE, error, { ...(port !== undefined && { port }), portKey: 'IDENTITY_PORT' });

async function serve(): Promise<void> {
  const config = readConfig(process.env);
  const logger = createLog(SERVICE, { level: config.LOG_LEVEL });
  const tracing = await startTracing(config, { service: SERVICE, logger });
  const storage = await openStorage(config, (err) => logger.warn({ err }, 'database connection lost'));
  const sql = traceSql(tracing, storage.sql);
  const metrics = createMetrics();
  collectDefaultMetrics({ register: metrics.registry });
  const outbox = createMailOutbox(sql);
  const links = createLinks(sql);
  const app = createApp(
    {
      accounts: createAccounts({
        store: createAccountStore(sql),
        links,
        outbox,
        transaction: sql.transaction,
      }),
      endSessions: createEndSessions(sql),
      outbox,
      adapter: createAdapterFactory(sql),
      keys: storage.keys,
      metrics,
      logger,
      tracing,
      isReady: sql.isAvailable,
      ...(config.DATABASE_URL !== undefined && { counters: createRateCounters(sql) }),
    },
    config,
  );

  const server = createServer(app);
  server.on('error', (error: NodeJS.ErrnoException) => fail(error, config.IDENTITY_PORT));
  await new Promise<void>((resolve) => server.listen(config.IDENTITY_PORT, config.HOST, resolve));
  logger.info({ issuer: config.OIDC_ISSUER, address: server.address() }, 'listening');

  const sweep = async () => {
    try {
      const removed =
        (await sweepArtifacts(sql)) +
        (await links.sweep()) +
        (await outbox.sweep()) +
        (await sweepRateCounters(sql));
      if (removed > 0) logger.info({ removed }, 'expired data removed');
    } catch (error) {
      logger.error({ err: error }, 'cleanup of expired data failed');
    }
  };
  void sweep();
  const sweepTimer = setInterval(() => void sweep(), SWEEP_INTERVAL_MS);

  const { SMTP_URL: url, MAIL_FROM: from, LOCAL_MODE: isLocal } = config;
  const smtp = url === undefined ? undefined : createSmtp({ url, from, isLocal });
  const sender = smtp && createMailSender({ outbox, send: smtp.send, logger });
  const mailTimer = setInterval(() => {
    sender?.sendDue().catch((error: unknown) => logger.error({ err: error }, 'reading due mails failed'));
  }, MAIL_INTERVAL_MS);

  const stop = async () => {
    clearInterval(sweepTimer);
    clearInterval(mailTimer);
    await closeGently(server);
    // Finish deliveries in flight, so that no mail is sent twice.
    await sender?.sendDue().catch(() => undefined);
    smtp?.close();
    await sql.close();
    await tracing.close();
  };
  stopOnSignals(stop, { deadlineMs: STOP_MS, logger });
}

// Files are for this process's own user.
process.umask(0o077);
serve().catch((error: unknown) => fail(error));
