import { readConfig } from './config.ts';
import { prepareStorage } from './openStorage.ts';

// Files are for this process's own user.
process.umask(0o077);
try {
  const fileData = process.argv.includes('--copy')
    ? 'copy'
    : process.argv.includes('--empty')
      ? 'leave'
      : undefined;
  const version = await prepareStorage(readConfig(process.env), fileData);
  process.stdout.write(`identity: the database has schema version ${version}\n`);
} catch (error) {
  process.stderr.write(`identity: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
