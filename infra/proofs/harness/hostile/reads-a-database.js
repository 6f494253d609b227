/** Opens a file as a database, which Node's permission model does not cover. */
export const stoppedBy = 'process';
export const outcome = 'contained';

export async function attack({ builtin }) {
  const { DatabaseSync } = await builtin('sqlite');
  try {
    new DatabaseSync('/etc/passwd', { readOnly: true }).prepare('SELECT * FROM sqlite_master').all();
  } catch (error) {
    if (/not a database/.test(error.message)) return 'read a file';
    throw error;
  }
  return 'read a database';
}
