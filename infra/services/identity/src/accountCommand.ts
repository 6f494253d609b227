import { runCommand } from '@forecourt/service-kit/start';
import { readConfig } from './config.ts';
import { createEndSessions } from './oidc/storage.ts';
import { openStorage } from './openStorage.ts';
import { createAccountStore } from './store/accountStore.ts';

const USAGE = 'usage: account disable EMAIL | account enable EMAIL | account sign-out EMAIL\n';

/** Disables or enables an account, or ends its sessions. The service may run; shells notice by introspection. */
async function run([action, email]: readonly string[]): Promise<number> {
  if (email === undefined || !['disable', 'enable', 'sign-out'].includes(action ?? '')) {
    process.stderr.write(USAGE);
    return 2;
  }
  const { sql } = await openStorage(readConfig(process.env), () => undefined);
  try {
    const store = createAccountStore(sql);
    const account = await store.byEmail(email);
    if (!account) {
      process.stderr.write('no account has this address\n');
      return 1;
    }
    if (action !== 'sign-out') await store.setDisabled(account.id, action === 'disable');
    // After the account is disabled, or a sign-in in between would last.
    const ended = action === 'enable' ? [] : await createEndSessions(sql)(account.id);
    process.stdout.write(`${action}: done, ${ended.length} sessions ended\n`);
    return 0;
  } finally {
    await sql.close();
  }
}

await runCommand('account', run);
