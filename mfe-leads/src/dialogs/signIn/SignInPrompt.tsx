import type { ReactNode } from 'react';
import { signInLink } from '@forecourt/search/url';
import { usePageState } from '@forecourt/slots';
import { buttonClass } from '@forecourt/slots/ui';
import { QUICK_SAVE_LIMIT, SAVED_VEHICLES_PATH } from '../../savedListings/savedListings.ts';
import styles from './SignInPrompt.module.css';
import { currentPage } from './currentPage.ts';

/** Why the visitor has to sign in. */
export interface SignInRequest {
  readonly reason: 'saveListing' | 'saveSearch' | 'account';
  readonly screen: 'signIn' | 'signUp';
  readonly listingId?: string | undefined;
  /** Path and query to return to; default: the current page. */
  readonly returnTo?: string | undefined;
}

/**
 * Offers to sign in or sign up. Every brand except the
 * automaker's shows the benefits of an account.
 */
export function SignInPrompt({ request }: { request: SignInRequest }): ReactNode {
  const brand = usePageState(({ session }) => session.brand);
  const signInPath = usePageState(({ session }) => session.signInPath);
  const returnTo = request.returnTo ?? currentPage();
  const isSignUp = request.screen === 'signUp';
  const links = [
    { label: 'Create a free account', href: signInLink(signInPath, returnTo, 'signup') },
    { label: 'Sign in', href: signInLink(signInPath, returnTo) },
  ];
  const [first, second] = isSignUp ? links : links.toReversed();
  return (
    <div className={styles['prompt']}>
      {brand !== 'oem' && (
        <div className={styles['value']}>
          <h3 className={styles['heading']}>Save Cars with a Free Account</h3>
          <p>Create an account to track price changes, saved cars across devices, and more.</p>
        </div>
      )}
      {request.reason === 'saveListing' && isSignUp && (
        <p>
          Without an account, you can save up to {QUICK_SAVE_LIMIT} vehicles.{' '}
          <a href={SAVED_VEHICLES_PATH}>See those you saved</a>
        </p>
      )}
      {request.reason === 'saveSearch' && <p>Sign in to save this search to your account.</p>}
      <p className={styles['actions']}>
        <a className={buttonClass('primary')} href={first!.href}>
          {first!.label}
        </a>
        <a className={buttonClass('secondary')} href={second!.href}>
          {second!.label}
        </a>
      </p>
    </div>
  );
}
