const two = (part: number) => String(part).padStart(2, '0');

/** Formats a bookmark's time, 'yyyy/MM/d HH:mm:ss' in UTC: '2024/03/5 14:07:09'. */
export const formatLastExecuted = (time: Date): string =>
  `${time.getUTCFullYear()}/${two(time.getUTCMonth() + 1)}/${time.getUTCDate()} ` +
  [time.getUTCHours(), time.getUTCMinutes(), time.getUTCSeconds()].map(two).join(':');
