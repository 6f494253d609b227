import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { TLSSocket } from 'node:tls';
import { createStandInIssuer } from '@forecourt/harness/standInIssuer';
import sharp from 'sharp';
import { SMTPServer } from 'smtp-server';
import type { Arrival } from './arrivals.ts';
import { DEALER_AUTHORIZATION, dealerFeed } from './dealerFeed.ts';
import { startExim } from './exim.ts';
import {
  ADDRESSES,
  CI_ISSUER,
  FEED_HOST,
  FORGED_FEED_HOST,
  INTERNAL,
  ISSUER,
  ISSUER_PORT,
  MAIL_PORTS,
  MOVED_FEED_HOST,
  NAME_SERVER,
  PHOTO_HOSTS,
  PUSH_HOSTS,
  REDIRECTING_HOST,
} from './hosts.data.ts';
import { startNameServer } from './nameServer.ts';

/** Everything outside of the site, in its own process and network namespace; tells its parent what arrives. */

const [folder = '', exim = ''] = process.argv.slice(2);
const tls = { cert: readFileSync(join(folder, 'tls.crt')), key: readFileSync(join(folder, 'tls.key')) };
const tell = (arrival: Arrival) => void process.send?.(arrival);

type Respond = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void;

const redirect =
  (location: string): Respond =>
  (_request, response) =>
    void response.writeHead(302, { Location: location }).end();

/** A picture of its own for each URL, so that each is encoded. */
const photo: Respond = async ({ headers, url = '' }, response) => {
  const seed = [...`${headers.host}${url}`].reduce(
    (sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 360,
    0,
  );
  const image = sharp({
    create: { width: 800, height: 600, channels: 3, background: `hsl(${seed}, 60%, 50%)` },
  });
  response.writeHead(200, { 'Content-Type': 'image/jpeg' }).end(await image.jpeg().toBuffer());
};

let feedRequests = 0;
/** The price falls after the first import. */
const feed: Respond = ({ headers }, response) => {
  if (headers.authorization !== DEALER_AUTHORIZATION) return void response.writeHead(401).end();
  feedRequests += 1;
  return void response.writeHead(200, { 'Content-Type': 'text/csv' }).end(dealerFeed(feedRequests > 1));
};

/** An issuer that also signs what the proof asks for: `/sign?claims=…`. */
function signingIssuer(issuer: string): Respond {
  const base = issuer.replace(/\/$/, '');
  const { sign, respond } = createStandInIssuer({ issuer, authorize: base, end: base, upstream: base });
  return (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', base);
    if (!pathname.endsWith('/sign')) return respond(request, response);
    return void response.end(sign(JSON.parse(searchParams.get('claims') ?? '{}') as Record<string, unknown>));
  };
}

const HANDLERS: Readonly<Record<string, Respond>> = {
  [PUSH_HOSTS.public]: (_request, response) => void response.writeHead(201).end(),
  [FEED_HOST]: feed,
  [FORGED_FEED_HOST]: feed,
  [MOVED_FEED_HOST]: redirect(`http://${INTERNAL.metadata}/latest`),
  [REDIRECTING_HOST]: redirect(`http://${INTERNAL.private}/photo.jpg`),
  [new URL(ISSUER).host]: signingIssuer(ISSUER),
  [new URL(CI_ISSUER).host]: signingIssuer(CI_ISSUER),
  ...Object.fromEntries(Object.values(PHOTO_HOSTS).map((host) => [host, photo])),
};

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { host = '' } = request.headers;
  const handler = HANDLERS[host];
  // An internal server that answers everybody, as those of clouds do.
  if (!handler) return void response.end('a secret of the internal network');
  const isTls = request.socket instanceof TLSSocket;
  const { method = '', url: path = '', headers } = request;
  const isForIssuer = host === new URL(ISSUER).host;
  const body = isForIssuer ? '' : (await buffer(request)).toString('base64');
  tell({ kind: 'request', host, isTls, method, path, headers, body });
  return handler(request, response);
}

const INTERNAL_ADDRESSES: ReadonlySet<string> = new Set(Object.values(INTERNAL));
const respond = (request: IncomingMessage, response: ServerResponse): void => void serve(request, response);
const isListening = (server: Server, port: number) =>
  new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.on('connection', ({ localAddress = '' }: Socket) => {
      const address = localAddress.replace(/^::ffff:/, '');
      if (INTERNAL_ADDRESSES.has(address)) tell({ kind: 'internal', address, port });
    });
    server.listen(port, '::', resolve);
  });

/** A mail server without TLS. */
const plainMailServer = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  onMailFrom({ address }, _session, done) {
    tell({ kind: 'email', port: MAIL_PORTS.plain, isTls: false, source: address });
    done();
  },
});

/** In place of Exim. */
const mailServer = (port: number): SMTPServer =>
  new SMTPServer({
    ...tls,
    secure: port === MAIL_PORTS.implicitTls,
    authOptional: true,
    disabledCommands: ['AUTH'],
    onData(stream, { secure }, done) {
      void buffer(stream).then((bytes) => {
        tell({ kind: 'email', port, isTls: secure, source: bytes.toString() });
        done();
      });
    },
  });

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

let stopMailProvider = (): Promise<void> | void => {};
async function startMailProvider(): Promise<void> {
  if (exim === '') {
    const ports = [MAIL_PORTS.starttls, MAIL_PORTS.implicitTls];
    await Promise.all(ports.map((port) => isListening(mailServer(port).server, port)));
    return;
  }
  const { child, remove } = startExim(exim, folder, (mail) => tell({ kind: 'email', ...mail }));
  const ended = once(child, 'exit');
  stopMailProvider = async () => {
    child.kill();
    await ended;
    remove();
  };
  while (!(await isOpen(MAIL_PORTS.starttls))) {
    if (child.exitCode !== null) throw new Error(`Exim ended with ${child.exitCode}`);
    await wait(50);
  }
}

await Promise.all([
  startNameServer(NAME_SERVER, ADDRESSES),
  isListening(createServer(respond), 80),
  isListening(createTlsServer(tls, respond), 443),
  isListening(createTlsServer(tls, respond), ISSUER_PORT),
  isListening(plainMailServer.server, MAIL_PORTS.plain),
  startMailProvider(),
]);
let ending: Promise<void> | undefined;
const end = () => void (ending ??= Promise.resolve(stopMailProvider()).then(() => process.exit()));
process.once('disconnect', end);
process.once('SIGTERM', end);
process.send?.('ready');
