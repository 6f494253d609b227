import { createSocket } from 'node:dgram';
import { isIPv6, SocketAddress } from 'node:net';

const TYPES: Readonly<Record<number, 4 | 6>> = { 1: 4, 28: 6 };
const HEADER_BYTES = 12;
/** Flags of a response (RFC 1035, 4.1.1): authoritative; with code 3 for a name that doesn't exist. */
const FOUND = 0x8580;
const NO_NAME = 0x8583;
/** Seconds. */
const TIME_TO_LIVE = 1;

/** The name in a question, and where the question ends. */
function readQuestion(message: Buffer): {
  readonly name: string;
  readonly type: number;
  readonly end: number;
} {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = message[at]!; length > 0; length = message[at]!) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 };
}

/** The 4 or 16 bytes of an address. */
function bytesOf(address: string): Buffer {
  if (!isIPv6(address)) return Buffer.from(address.split('.').map(Number));
  const { address: text } = new SocketAddress({ address, family: 'ipv6' });
  const [head = '', tail = ''] = text.split('::');
  const groups = (part: string) => (part === '' ? [] : part.split(':'));
  const zeros = Array<string>(8 - groups(head).length - groups(tail).length).fill('0');
  const all = text.includes('::') ? [...groups(head), ...zeros, ...groups(tail)] : groups(text);
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex');
}

function respond(message: Buffer, addresses: Readonly<Record<string, readonly string[]>>): Buffer {
  const { name, type, end } = readQuestion(message);
  const known = addresses[name];
  const found = (known ?? []).filter((address) => TYPES[type] === (isIPv6(address) ? 6 : 4));
  const header = Buffer.alloc(HEADER_BYTES);
  message.copy(header, 0, 0, 2);
  header.writeUInt16BE(known ? FOUND : NO_NAME, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(found.length, 6);
  const records = found.map((address) => {
    const data = bytesOf(address);
    const record = Buffer.alloc(12);
    // The name is that of the question.
    record.writeUInt16BE(0xc000 | HEADER_BYTES, 0);
    record.writeUInt16BE(type, 2);
    record.writeUInt16BE(1, 4);
    record.writeUInt32BE(TIME_TO_LIVE, 6);
    record.writeUInt16BE(data.length, 10);
    return Buffer.concat([record, data]);
  });
  return Buffer.concat([header, message.subarray(HEADER_BYTES, end), ...records]);
}

/** Answers questions about the names of the table over UDP (RFC 1035). */
export const startNameServer = (
  address: string,
  addresses: Readonly<Record<string, readonly string[]>>,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = createSocket('udp4', (message, { port, address: client }) =>
      socket.send(respond(message, addresses), port, client),
    );
    socket.once('error', reject);
    socket.bind(53, address, resolve);
  });
