import { type FileData, runMigration } from '@forecourt/service-kit/start';
import { readConfig } from './config.ts';
import { copyFiles, hasFiles } from './storage/copyFiles.ts';
import { migrateSqlStorage } from './storage/sql/sqlStorage.ts';

async function migrate(fileData: FileData | undefined): Promise<string[]> {
  const { DATABASE_URL: url, DATA_DIR } = readConfig(process.env);
  if (url === undefined) throw new Error('DATABASE_URL is not set');
  if (hasFiles(DATA_DIR) && fileData === undefined)
    throw new Error(
      'DATA_DIR has pointers in files: copy everything to PostgreSQL with --copy, or start without it with --empty',
    );
  const lines = [`the database has schema version ${await migrateSqlStorage({ url })}`];
  if (fileData === 'copy') lines.push(`copied ${await copyFiles(DATA_DIR, { url })} releases`);
  return lines;
}

await runMigration('remote-registry', migrate);
