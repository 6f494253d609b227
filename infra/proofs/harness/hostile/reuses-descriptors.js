/** Closes its output and opens a connection in its place. */
export const stoppedBy = 'process';
export const outcome = 'any';

export async function attack({ builtin, target }) {
  const { closeSync } = await builtin('fs');
  for (const descriptor of [0, 1, 2]) closeSync(descriptor);
  const { connect } = await builtin('net');
  return new Promise((resolve, reject) => {
    const socket = connect(target.port, '127.0.0.1', () => resolve('connected'));
    socket.on('error', reject);
  });
}
