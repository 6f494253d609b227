interface Situation {
  readonly signedIn: boolean;
  readonly hasSubscribeAlerts: boolean;
  /** This search is among the recent ones with a subscription (AMB-096). */
  readonly isSubscribed: boolean;
  readonly isInlineCaptureShown: boolean;
}

/**
 * What a click on save-search does (A4-SAVE-01..03): signed out with the
 * subscribe-alerts feature the email-alerts flow takes the search; signed out
 * without it the inline capture appears, once; else the search is saved, for
 * which a signed-out visitor is asked to sign in (AMB-017).
 */
export function decideSaveSearch(situation: Situation): 'emailAlerts' | 'inlineCapture' | 'save' | 'signIn' {
  const { signedIn, hasSubscribeAlerts, isSubscribed, isInlineCaptureShown } = situation;
  if (signedIn) return 'save';
  if (hasSubscribeAlerts) return 'emailAlerts';
  return isSubscribed || isInlineCaptureShown ? 'signIn' : 'inlineCapture';
}

/** Does an email subscription store the search as an alert, and may a prompt to save it show (B6-SAVE-01, B6-SAVE-02, AMB-016)? */
export const isAutoSaved = (visitor: {
  readonly signedIn: boolean;
  readonly title: string | undefined;
}): boolean => !visitor.signedIn && !visitor.title;
