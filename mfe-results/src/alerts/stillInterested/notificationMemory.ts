const KEY = 'walletNotificationDone';

/** Was the wallet's notification closed or followed in this visit? */
export function isNotificationDone(): boolean {
  try {
    return sessionStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}

export function rememberNotificationDone(): void {
  try {
    sessionStorage.setItem(KEY, 'true');
  } catch {
    // Without storage it is remembered as long as the page lives.
  }
}
