import { readConfig } from './config.ts';
import { migrateSqlStorage } from './storage/sql/sqlStorage.ts';

try {
  const { DATABASE_URL: url } = readConfig(process.env);
  if (url === undefined) throw new Error('DATABASE_URL is not set');
  const version = await migrateSqlStorage({ url });
  process.stdout.write(`remote-registry: the database has schema version ${version}\n`);
} catch (error) {
  process.stderr.write(`remote-registry: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
