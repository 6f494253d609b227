import type { ReactNode } from 'react';
import { signInLink } from '@forecourt/shared-contracts/url';
import { usePageState } from '@forecourt/shared-contracts/store';
import { buttonClass } from '@forecourt/shared-contracts/ui';
import type { SignInRequest } from './signIn.ts';
import styles from './SignInPrompt.module.css';

/** Path and query of the page at hand, without what opened this dialog. */
export function currentPage(): string {
  const url = new URL(window.location.href);
  url.searchParams.delete('defaultScreen');
  url.searchParams.delete('refUrl');
  return url.pathname + url.search;
}

/**
 * Asks to sign in or up (A4-LISTSAVE-05). Every brand but the automaker's says
 * what an account is good for (A4-LISTSAVE-08, A4-LISTSAVE-09).
 */
export function SignInPrompt({ request }: { request: SignInRequest }): ReactNode {
  const brand = usePageState(({ session }) => session.brand);
  const signInPath = usePageState(({ session }) => session.signInPath);
  const returnTo = request.returnTo ?? currentPage();
  const isSignUp = request.screen === 'signUp';
  const ways = [
    { label: 'Create a free account', href: signInLink(signInPath, returnTo, 'signup') },
    { label: 'Sign in', href: signInLink(signInPath, returnTo) },
  ];
  const [first, second] = isSignUp ? ways : ways.toReversed();
  return (
    <div className={styles['prompt']}>
      {brand !== 'oem' && (
        <div className={styles['value']}>
          <h3 className={styles['heading']}>Save Cars with a Free Account</h3>
          <p>Create an account to track price changes, saved cars across devices, and more.</p>
        </div>
      )}
      {request.reason === 'saveSearch' && (
        <p>Saved searches belong to an account: sign in to keep this one.</p>
      )}
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
