import { peoplePath, readConfig } from './config.ts';
import { openPeopleDatabase } from './people/people.ts';
import { createMailStore, type MailState } from './people/mailStore.ts';

const USAGE = `usage: mails [list [pending|sent|dead|outbox]] | mails retry ID… | mails retry --all\n`;

/** Lists emails by state and retries dead letters. */
function run([command = 'list', ...rest]: readonly string[]): number {
  const db = openPeopleDatabase(peoplePath(readConfig(process.env)));
  try {
    const mails = createMailStore(db);
    if (command === 'list') {
      for (const { id, kind, state, to, subject, attempts, lastError } of mails.list(
        (rest[0] ?? 'dead') as MailState,
        1000,
      ))
        process.stdout.write(`${JSON.stringify({ id, kind, state, to, subject, attempts, lastError })}\n`);
      return 0;
    }
    if (command !== 'retry' || rest.length === 0) {
      process.stderr.write(USAGE);
      return 2;
    }
    const ids = rest[0] === '--all' ? mails.list('dead', 100_000).map(({ id }) => id) : rest.map(Number);
    const revived = ids.filter((id) => mails.retry(id)).length;
    process.stdout.write(`${revived} of ${ids.length} will be sent again\n`);
    return revived === ids.length ? 0 : 1;
  } finally {
    db.close();
  }
}

process.exitCode = run(process.argv.slice(2));
