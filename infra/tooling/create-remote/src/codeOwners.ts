const REMOTE_LINE = /^\/mfe-/;

/**
 * The CODEOWNERS file with the remote's folder given to its team, below the
 * other remotes'; later lines win, so it must not stand above a general one.
 */
export function addOwner(text: string, folder: string, team: string): string {
  const lines = text.split('\n');
  const last = lines.findLastIndex((line) => REMOTE_LINE.test(line));
  // In line with the owner of the remote above.
  const column = last < 0 ? 0 : (lines[last] ?? '').indexOf('@');
  const line = `${`/${folder}/`.padEnd(column - 1)} @forecourt/${team}`;
  if (last < 0) return `${text.replace(/\n*$/, '\n')}${line}\n`;
  return lines.toSpliced(last + 1, 0, line).join('\n');
}
