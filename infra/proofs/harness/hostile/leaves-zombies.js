/** Starts children that outlive it, and never collects them. */
export const stoppedBy = 'process';
export const outcome = 'contained';

export async function attack({ realProcess, builtin }) {
  const { spawn } = await builtin('child_process');
  const { execPath } = await realProcess();
  const child = spawn(execPath, ['-e', ''], { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
  return child.pid ? 'a child' : '';
}
