import { execFile, type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { REPOSITORY } from '@forecourt/local';
import { MAIL_HOST, MAIL_PORTS } from './hosts.data.ts';

const PACKAGE = 'exim4-daemon-light';
const INSTALLED = '/usr/sbin/exim4';
const CACHE = join(REPOSITORY, '.cache/exim');

/** Where Exim is, or in plain words why it isn't. */
export type EximFile = { readonly file: string } | { readonly missing: string };

const run = promisify(execFile);

/** Downloads Debian's package into the repository: nothing is installed, no service is started. */
async function fetchExim(): Promise<void> {
  mkdirSync(CACHE, { recursive: true });
  const download = () => run('apt-get', ['download', PACKAGE], { cwd: CACHE });
  await download().catch(async () => {
    await run('apt-get', ['update', '-q']);
    await download();
  });
  const archive = readdirSync(CACHE).find((name) => name.endsWith('.deb')) ?? '';
  await run('dpkg', ['-x', archive, '.'], { cwd: CACHE });
  rmSync(join(CACHE, archive));
}

/** Debian's Exim: the installed one, or fetched for this repository. */
export async function findExim(): Promise<EximFile> {
  const fetched = join(CACHE, INSTALLED);
  const file = existsSync(INSTALLED) ? INSTALLED : fetched;
  try {
    if (!existsSync(file)) await fetchExim();
    const { stdout } = await run('ldd', [file]);
    const libraries = [...stdout.matchAll(/(\S+) => not found/g)].map(([, name]) => name);
    if (libraries.length > 0) return { missing: `${PACKAGE} needs ${libraries.join(', ')}` };
  } catch {
    return { missing: `Debian's ${PACKAGE} can't be fetched` };
  }
  return { file };
}

/** Exim's own user and group, whose name is compiled in. */
const USER = { name: 'Debian-exim', id: 65_533 } as const;

/** Files of `/etc` with that user and group, for its namespace. */
export function usersWithExim(): Readonly<Record<'passwd' | 'group', string>> {
  const { name, id } = USER;
  const withLine = (file: string, line: string) => {
    const lines = readFileSync(join('/etc', file), 'utf8').split('\n');
    const others = lines.filter((other) => other !== '' && !other.startsWith(`${name}:`));
    return [...others, line, ''].join('\n');
  };
  return {
    passwd: withLine('passwd', `${name}:x:${id}:${id}::/nonexistent:/usr/sbin/nologin`),
    group: withLine('group', `${name}:x:${id}:`),
  };
}

const ARRIVED = 'X-Arrived';

/** Accepts mail for everybody, with and without TLS, says in a header how it came, and stores it in a maildir. */
const configuration = (folder: string): string => `
primary_hostname = ${MAIL_HOST}
exim_path = ${folder}/exim4
spool_directory = ${folder}/spool
log_file_path = ${folder}/log-%slog
pid_file_path = ${folder}/spool/exim.pid
daemon_smtp_ports = ${MAIL_PORTS.starttls} : ${MAIL_PORTS.implicitTls}
tls_on_connect_ports = ${MAIL_PORTS.implicitTls}
tls_advertise_hosts = *
tls_certificate = ${folder}/tls.crt
tls_privatekey = ${folder}/tls.key
acl_smtp_rcpt = accept
acl_smtp_data = arrived
host_lookup =
deliver_drop_privilege = true
keep_environment =
begin acl
arrived:
  warn add_header = ${ARRIVED}: $received_port \${if def:tls_in_cipher{$tls_in_cipher}{plain}}
  accept
begin routers
all:
  driver = accept
  transport = maildir
begin transports
maildir:
  driver = appendfile
  directory = ${folder}/mail
  maildir_format
  user = ${USER.name}
`;

/** An email as it arrived. */
export interface EximMail {
  readonly port: number;
  readonly isTls: boolean;
  readonly source: string;
}

function readMail(path: string): EximMail {
  const source = readFileSync(path, 'utf8');
  const [, port = '', cipher = ''] = new RegExp(`^${ARRIVED}: (\\d+) (\\S+)$`, 'm').exec(source) ?? [];
  return { port: Number(port), isTls: cipher !== '' && cipher !== 'plain', source };
}

/**
 * Starts Debian's Exim as a mail provider with the certificate of `tlsFolder`, in the network namespace of this process.
 * `receive` gets each email.
 */
export function startExim(
  file: string,
  tlsFolder: string,
  receive: (mail: EximMail) => void,
): { readonly child: ChildProcess; readonly remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'forecourt-exim-'));
  // A process of Exim's own user starts the next, and that user may not read folders of others.
  copyFileSync(file, join(folder, 'exim4'));
  for (const name of ['tls.crt', 'tls.key']) copyFileSync(join(tlsFolder, name), join(folder, name));
  const mailFolder = join(folder, 'mail/new');
  for (const path of ['spool', 'mail', 'mail/new', 'mail/cur', 'mail/tmp', 'mail/seen'])
    mkdirSync(join(folder, path));
  for (const path of ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })])
    chownSync(join(folder, path), USER.id, USER.id);
  const settings = join(folder, 'exim.conf');
  writeFileSync(settings, configuration(folder));
  chmodSync(settings, 0o644);
  watch(mailFolder, (_event, name) => {
    const path = join(mailFolder, name ?? '');
    if (name === null || !existsSync(path)) return;
    // Each email is told of once, whatever the number of events.
    const seen = join(folder, 'mail/seen', name);
    renameSync(path, seen);
    receive(readMail(seen));
  });
  const child = spawn(join(folder, 'exim4'), ['-C', settings, '-bdf'], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return { child, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
