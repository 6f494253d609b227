/** Writes a file through the built-in database, which the permission model does not cover. */
export const stoppedBy = 'process';
export const outcome = 'contained';

export async function attack({ builtin }) {
  const { DatabaseSync } = await builtin('sqlite');
  const database = new DatabaseSync('/tmp/forecourt-hostile.sqlite');
  database.exec('CREATE TABLE IF NOT EXISTS loot (id INTEGER)');
  database.close();
  return 'wrote a database';
}
