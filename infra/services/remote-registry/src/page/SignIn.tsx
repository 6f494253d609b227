import { useId, useState, type FormEvent, type ReactNode } from 'react';
import { Button, buttonClass } from '@forecourt/shared-contracts/ui';
import type { RoomSession } from '../room/roomView.ts';
import { RequestError, signIn } from './api.ts';
import styles from './room.module.css';

const PROBLEMS: Readonly<Record<string, string>> = {
  FORBIDDEN: 'You’re signed in, but no role of this registry is for your account. Ask an administrator.',
  ISSUER_UNAVAILABLE: 'The sign-in service doesn’t respond. Try again in a moment.',
};

/** Why the sign-in at the issuer failed, after its callback. */
function problemOfCallback(): string | undefined {
  const code = new URLSearchParams(location.search).get('problem');
  if (code === null) return undefined;
  return PROBLEMS[code] ?? 'The sign-in didn’t work. Please start again.';
}

/** Leads to the issuer, exchanges a credential's token for a session, or starts one for someone on this machine. */
export function SignIn({
  isLocal,
  hasIssuer,
  onSignedIn,
}: Pick<RoomSession, 'isLocal' | 'hasIssuer'> & {
  readonly onSignedIn: (session: RoomSession) => void;
}): ReactNode {
  const field = useId();
  const [token, setToken] = useState('');
  const [problem, setProblem] = useState(problemOfCallback);
  const [isBusy, setBusy] = useState(false);

  async function begin(credential?: string): Promise<void> {
    setBusy(true);
    setProblem(undefined);
    try {
      onSignedIn(await signIn(credential));
    } catch (error) {
      const isUnknown = error instanceof RequestError && error.code === 'UNAUTHORIZED';
      setProblem(
        isUnknown
          ? 'The registry doesn’t accept this token. It may have been revoked, rotated or mistyped.'
          : String((error as Error).message),
      );
      setBusy(false);
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void begin(token.trim());
  };

  return (
    <main className={styles['signIn']}>
      <h1>Control room</h1>
      <p>See what is live, judge canaries, and roll back releases.</p>
      {hasIssuer && (
        <a className={buttonClass('primary')} href="/room/api/sign-in">
          Sign in with your account
        </a>
      )}
      {isLocal && (
        <Button look={hasIssuer ? 'secondary' : 'primary'} disabled={isBusy} onClick={() => void begin()}>
          Continue on this machine
        </Button>
      )}
      {(isLocal || hasIssuer) && <p className={styles['quiet']}>Or use a token:</p>}
      <form onSubmit={submit}>
        <label htmlFor={field}>Token</label>
        <input
          id={field}
          type="password"
          autoComplete="current-password"
          required
          value={token}
          aria-invalid={problem !== undefined}
          aria-describedby={`${field}-problem`}
          onChange={({ target }) => setToken(target.value)}
        />
        <p id={`${field}-problem`} role="alert" className={styles['problem']}>
          {problem}
        </p>
        <Button
          type="submit"
          look={isLocal || hasIssuer ? 'secondary' : 'primary'}
          disabled={isBusy || token.trim() === ''}
        >
          Sign in
        </Button>
      </form>
      <p className={styles['quiet']}>
        <code>forecourt credentials create</code> issues a token. Its credential decides what you can do here.
      </p>
    </main>
  );
}
