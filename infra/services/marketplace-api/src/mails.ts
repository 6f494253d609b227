import { runCommand } from '@forecourt/service-kit/start';
import { readConfig } from './config.ts';
import { openPeople } from './openStorage.ts';
import { createMailStore, type MailState } from './community/index.ts';

const USAGE = `usage: mails [list [pending|sent|dead|outbox]] | mails retry ID… | mails retry --all | mails suppress ADDRESS…\n`;

/** Lists emails by state, retries dead letters, and ends emails to mailboxes whose owners or servers complained. */
async function run([command = 'list', ...rest]: readonly string[]): Promise<number> {
  const sql = await openPeople(readConfig(process.env));
  try {
    const mails = createMailStore(sql);
    if (command === 'list') {
      for (const { id, kind, state, to, subject, attempts, lastError } of await mails.list(
        (rest[0] ?? 'dead') as MailState,
        1000,
      ))
        process.stdout.write(`${JSON.stringify({ id, kind, state, to, subject, attempts, lastError })}\n`);
      return 0;
    }
    if (command === 'suppress' && rest.length > 0) {
      for (const address of rest) await mails.suppress(address, 'bounced');
      process.stdout.write(`${rest.length} will get no more emails\n`);
      return 0;
    }
    if (command !== 'retry' || rest.length === 0) {
      process.stderr.write(USAGE);
      return 2;
    }
    const ids =
      rest[0] === '--all' ? (await mails.list('dead', 100_000)).map(({ id }) => id) : rest.map(Number);
    let revived = 0;
    for (const id of ids) if (await mails.retry(id)) revived += 1;
    process.stdout.write(`${revived} of ${ids.length} will be sent again\n`);
    return revived === ids.length ? 0 : 1;
  } finally {
    await sql.close();
  }
}

await runCommand('mails', run);
