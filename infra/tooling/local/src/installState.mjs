/**
 * Is what npm installed (`node_modules/.package-lock.json`) what the lockfile
 * asks for? Packages of other platforms may be missing, others may be too many.
 */
export function isUpToDate(locked, installed) {
  if (installed === undefined) return false;
  return Object.entries(locked).every(([path, wanted]) => {
    if (!path.includes('node_modules/')) return true;
    const found = installed[path];
    if (found === undefined) return wanted.optional === true;
    return (
      found.version === wanted.version &&
      (!wanted.integrity || !found.integrity || found.integrity === wanted.integrity)
    );
  });
}

const UNREACHABLE =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ERR_SOCKET_TIMEOUT|EHOSTUNREACH|ENETUNREACH)\b/;

/** What to do about a failed `npm ci`, from its output. */
export function explainInstallFailure(output) {
  if (/\bENOSPC\b/.test(output))
    return 'The disk is full: packages could not be installed. Make room and run again.';
  const unreachable = UNREACHABLE.exec(output);
  if (unreachable)
    return `The package registry cannot be reached (${unreachable[1]}): check the network, the proxy and \`npm config get registry\`, then run again.`;
  if (/\b(EACCES|EPERM|EROFS)\b/.test(output))
    return 'Packages could not be installed: no right to write node_modules. Check who owns this folder and run again.';
  if (/\bEUSAGE\b/.test(output))
    return 'package.json and package-lock.json do not fit: run `npm install && npm run lockfile`, commit both and run again.';
  const last = output
    .split('\n')
    .filter((line) => /^npm (error|ERR!)/.test(line))
    .slice(0, 8);
  return ['Packages could not be installed; npm says:', ...last].join('\n');
}
