/** The global variable that a remote's entry sets: its name as an identifier. */
export const containerGlobal = (remote: string): string => remote.replaceAll('-', '_');

/** Names of the Trusted Types policies that pages allow a remote: webpack's own, and one for scripts that it loads itself. */
export const policyNamesOf = (remote: string): readonly string[] => [
  `${remote}#webpack`,
  `${remote}#scripts`,
];
