import { runMigration } from '@forecourt/service-kit/start';
import { readConfig } from './config.ts';
import { prepareStorage } from './storage/prepareStorage.ts';

await runMigration('remote-registry', (fileData) => prepareStorage(readConfig(process.env), fileData));
