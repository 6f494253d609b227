import dns, { type LookupAddress } from 'node:dns';
import { isIP, Socket, type TcpNetConnectOpts } from 'node:net';

interface Connection {
  readonly address: string;
  readonly port: number;
}

type Lookup = (
  name: string,
  options: { readonly all: true },
  done: (error: Error | null, addresses: readonly LookupAddress[]) => void,
) => void;

const toAddress = (address: string): LookupAddress => ({ address, family: isIP(address) });

/**
 * The Internet for tests of outgoing requests: names lead to the `addresses`, and connections to any of them to the server
 * at `port` of this machine, or without one to nowhere: they fail with ECONNREFUSED. What is recorded passed the checks
 * of the caller. Connections to this machine work as before.
 */
export function startTestInternet(
  addresses: Readonly<Record<string, readonly string[]>>,
  port?: number,
): { readonly connections: readonly Connection[]; readonly stop: () => void } {
  const connections: Connection[] = [];
  const sockets: Socket[] = [];
  const { lookup } = dns;
  const connect = Reflect.get(Socket.prototype, 'connect') as (this: Socket, ...values: unknown[]) => Socket;

  const find: Lookup = (name, _options, done) => {
    const found = addresses[name]?.map(toAddress);
    process.nextTick(() =>
      found
        ? done(null, found)
        : done(Object.assign(new Error(`no address of ${name}`), { code: 'ENOTFOUND' }), []),
    );
  };
  function connectByTable(this: Socket, ...values: unknown[]): Socket {
    // `net.connect` passes its parameters on as one list.
    const [options, onConnect] = (Array.isArray(values[0]) ? values[0] : values) as [
      TcpNetConnectOpts & { readonly lookup?: Lookup },
      unknown,
    ];
    const { host = 'localhost' } = options;
    if (host === 'localhost' || host === '127.0.0.1') return connect.apply(this, values);
    const findAddresses: Lookup =
      isIP(host) === 0 ? (options.lookup ?? find) : (_, __, done) => done(null, [toAddress(host)]);
    findAddresses(host, { all: true }, (error, [first]) => {
      if (error) return void this.destroy(error);
      connections.push({ address: first!.address, port: Number(options.port) });
      if (port === undefined)
        return void this.destroy(Object.assign(new Error('refused by the test'), { code: 'ECONNREFUSED' }));
      sockets.push(this);
      return void connect.call(this, { host: '127.0.0.1', port }, onConnect);
    });
    return this;
  }

  dns.lookup = find as unknown as typeof lookup;
  Socket.prototype.connect = connectByTable as typeof Socket.prototype.connect;
  return {
    connections,
    stop() {
      // Agents keep connections by name.
      for (const socket of sockets) socket.destroy();
      dns.lookup = lookup;
      Socket.prototype.connect = connect as typeof Socket.prototype.connect;
    },
  };
}
