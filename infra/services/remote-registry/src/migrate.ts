import { runMigration } from '@forecourt/durable/start';
import { readConfig } from './config.ts';
import { migrateSqlStorage } from './storage/sql/sqlStorage.ts';

await runMigration('remote-registry', async () => {
  const { DATABASE_URL: url } = readConfig(process.env);
  if (url === undefined) throw new Error('DATABASE_URL is not set');
  return [`the database has schema version ${await migrateSqlStorage({ url })}`];
});
