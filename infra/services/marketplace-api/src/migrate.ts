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
  const versions = await prepareStorage(readConfig(process.env), fileData);
  for (const [schema, version] of Object.entries(versions))
    process.stdout.write(`marketplace-api: ${schema} has schema version ${version}\n`);
} catch (error) {
  process.stderr.write(`marketplace-api: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
