/** Sends a name to a server of its choice, as DNS tunnels do. */
export const stoppedBy = 'process';
export const outcome = 'contained';

export async function attack({ builtin }) {
  const { createSocket } = await builtin('dgram');
  const { Resolver } = await builtin('dns');
  return new Promise((resolve, reject) => {
    const server = createSocket('udp4').on('error', reject);
    server.on('message', () => {
      server.close();
      resolve('a query arrived');
    });
    server.bind(0, '127.0.0.1', () => {
      const resolver = new Resolver({ timeout: 200, tries: 1 });
      resolver.setServers([`127.0.0.1:${server.address().port}`]);
      resolver.resolve4('secret.example', () => {});
    });
  });
}
