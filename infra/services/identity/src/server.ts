import { createServer } from 'node:http';
import { join } from 'node:path';
import { createSmtp } from '@forecourt/durable/smtp';
import { pino } from 'pino';
import { collectDefaultMetrics } from 'prom-client';
import { createAccounts } from './accounts/accounts.ts';
import { createAccountStore } from './accounts/accountStore.ts';
import { createApp } from './app.ts';
import { readConfig } from './config.ts';
import { createLinks } from './accounts/links.ts';
import { createMetrics } from './http/metrics.ts';
import { createMailOutbox } from './mail/outbox.ts';
import { createMailSender } from './mail/sender.ts';
import { createAdapterFactory, sweepArtifacts } from './oidc/adapter.ts';
import { readOrMakeKeys } from './oidc/keys.ts';
import { createEndSessions } from './oidc/sessions.ts';
import { openDatabase } from './store/database.ts';

/** ms between two removals of what has expired. */
const SWEEP_MS = 3_600_000;
/** ms between two looks at what is to be mailed. */
const MAIL_MS = 1000;
/** ms for requests under way when the process is told to stop. */
const SHUTDOWN_MS = 5000;

/** What a person can do about errors of the start, by the system's code. */
const START_ERRORS: Readonly<Record<string, (port: number) => string>> = {
  EADDRINUSE: (port) => `PORT_TAKEN: port ${port} is in use; set IDENTITY_PORT to a free one`,
  EACCES: (port) => `PORT_REFUSED: no right to listen on port ${port}, or to write DATA_DIR`,
  ENOSPC: () => 'DISK_FULL: no space left in DATA_DIR',
  SQLITE_FULL: () => 'DISK_FULL: no space left in DATA_DIR',
};

function fail(error: NodeJS.ErrnoException, port = 0): never {
  const explain = START_ERRORS[error.code ?? ''];
  process.stderr.write(`identity: ${explain ? explain(port) : error.message}\n`);
  process.exit(1);
}

async function serve(): Promise<void> {
  const config = readConfig(process.env);
  const logger = pino({ level: config.LOG_LEVEL, base: { service: 'identity' } });
  const keys = readOrMakeKeys(config.DATA_DIR);
  const db = openDatabase(join(config.DATA_DIR, 'identity.sqlite'));
  const metrics = createMetrics();
  collectDefaultMetrics({ register: metrics.registry });
  const outbox = createMailOutbox(db);
  const links = createLinks(db);
  const app = createApp(
    {
      accounts: createAccounts({
        store: createAccountStore(db),
        links,
        outbox,
        transaction: db.transaction.bind(db),
      }),
      endSessions: createEndSessions(db),
      outbox,
      adapter: createAdapterFactory(db),
      keys,
      metrics,
      logger,
      isReady: () => db.open,
    },
    config,
  );

  const server = createServer(app);
  server.on('error', (error: NodeJS.ErrnoException) => fail(error, config.IDENTITY_PORT));
  await new Promise<void>((resolve) => server.listen(config.IDENTITY_PORT, config.HOST, resolve));
  logger.info({ issuer: config.OIDC_ISSUER, address: server.address() }, 'serving');

  const sweep = () => {
    try {
      const removed = sweepArtifacts(db) + links.sweep() + outbox.sweep();
      if (removed > 0) logger.info({ removed }, 'what has expired is removed');
    } catch (error) {
      logger.error({ err: error }, 'what has expired could not be removed');
    }
  };
  sweep();
  const sweeping = setInterval(sweep, SWEEP_MS);

  const smtp = config.SMTP_URL === undefined ? undefined : createSmtp(config.SMTP_URL, config.MAIL_FROM);
  const sender = smtp && createMailSender({ outbox, send: smtp.send, logger });
  const mailing = setInterval(() => {
    sender?.sendDue().catch((error: unknown) => logger.error({ err: error }, 'mails could not be read'));
  }, MAIL_MS);

  let isStopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (isStopping) return;
    isStopping = true;
    logger.info({ signal }, 'stopping');
    clearInterval(sweeping);
    clearInterval(mailing);
    server.close(() => {
      // What is being handed over is finished, so that it is not sent again.
      void Promise.resolve(sender?.sendDue())
        .catch(() => undefined)
        .finally(() => {
          smtp?.close();
          db.close();
        });
    });
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), SHUTDOWN_MS).unref();
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

serve().catch((error: NodeJS.ErrnoException) => fail(error));
