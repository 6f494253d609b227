/** What the browser says about notifications; `denied` is the specs' blocked, `missing` = no such thing here (AMB-127). */
export type Permission = NotificationPermission | 'missing';

export const currentPermission = (): Permission =>
  'Notification' in window ? Notification.permission : 'missing';

/** Asks the visitor, where that was not done before (A4-NOTIF-07). */
export async function askPermission(): Promise<Permission> {
  const now = currentPermission();
  return now === 'default' ? Notification.requestPermission() : now;
}

/** iPhones and iPads; newer iPads call themselves Macs but have a touch screen. */
export const isIos = (): boolean =>
  /iPad|iPhone|iPod/.test(navigator.userAgent) ||
  (navigator.userAgent.includes('Macintosh') && navigator.maxTouchPoints > 1);

/** Was the page opened from the home screen? Only there iOS has notifications. */
export const isOnHomeScreen = (): boolean => window.matchMedia('(display-mode: standalone)').matches;
