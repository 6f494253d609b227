import { runMigration } from '@forecourt/service-kit/start';
import { readConfig } from './config.ts';
import { prepareStorage } from './openStorage.ts';

await runMigration('identity', async (fileData) => {
  const version = await prepareStorage(readConfig(process.env), fileData);
  return [`the database has schema version ${version}`];
});
