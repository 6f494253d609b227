import { runMigration } from '@forecourt/service-kit/start';
import { readConfig } from './config.ts';
import { prepareStorage } from './openStorage.ts';

await runMigration('marketplace-api', async (fileData) => {
  const versions = await prepareStorage(readConfig(process.env), fileData);
  return Object.entries(versions).map(([schema, version]) => `${schema} has schema version ${version}`);
});
