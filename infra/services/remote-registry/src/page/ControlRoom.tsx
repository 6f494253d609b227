import { useCallback, useEffect, useState, type ReactNode, useId, type FormEvent } from 'react';
import { Button, Skeleton, buttonClass } from '@forecourt/slots/ui';
import type { RoomSession, RoomBoard } from '../room/roomView.ts';
import { readSession, signOut, RequestError, signIn } from './api.ts';
import { Compatibility } from './Compatibility.tsx';
import { Overview } from './Overview.tsx';
import { ReleasePage } from './ReleasePage.tsx';
import { RemotePage } from './RemotePage.tsx';
import { OVERVIEW, RoomLink, originPage, readRoute, type Route, usePath } from './route.tsx';
import styles from './ControlRoom.module.css';

interface LiveBoard {
  /** Undefined until the first one arrives. */
  readonly board: RoomBoard | undefined;
  readonly isConnected: boolean;
}

const RETRY_MS = 3000;

/**
 * Follows the board while the page is visible; connects again when the connection ends. Hidden pages close theirs: a browser
 * has six connections to one server, for all its tabs and the pages that Back restores.
 */
function useBoard(onLost: () => void): LiveBoard {
  const [live, setLive] = useState<LiveBoard>({ board: undefined, isConnected: false });
  useEffect(() => {
    let events: EventSource | undefined;
    let timer: number | undefined;
    const disconnect = () => {
      window.clearTimeout(timer);
      events?.close();
      events = undefined;
    };
    const connect = () => {
      const source = new EventSource('/room/api/events');
      events = source;
      source.addEventListener('board', (event: MessageEvent<string>) =>
        setLive({ board: JSON.parse(event.data) as RoomBoard, isConnected: true }),
      );
      source.onerror = () => {
        setLive(({ board }) => ({ board, isConnected: false }));
        // A refused request is not retried by the browser, e.g. after the session has ended.
        if (source.readyState !== EventSource.CLOSED) return;
        onLost();
        timer = window.setTimeout(connect, RETRY_MS);
      };
    };
    const follow = () => {
      disconnect();
      if (document.visibilityState === 'visible') connect();
    };
    const resume = ({ persisted }: PageTransitionEvent) => {
      if (persisted) follow();
    };
    follow();
    document.addEventListener('visibilitychange', follow);
    window.addEventListener('pagehide', disconnect);
    window.addEventListener('pageshow', resume);
    return () => {
      disconnect();
      document.removeEventListener('visibilitychange', follow);
      window.removeEventListener('pagehide', disconnect);
      window.removeEventListener('pageshow', resume);
    };
  }, [onLost]);
  return live;
}

type SignedIn = NonNullable<RoomSession['caller']>;

function View({ route, ...room }: { readonly route: Route } & Parameters<typeof Overview>[0]): ReactNode {
  const { board } = room;
  if (route.view === 'overview')
    return (
      <Overview {...room}>
        <Compatibility revision={board.revision} />
      </Overview>
    );
  const remote = board.remotes.find(({ name }) => name === route.name);
  if (!remote)
    return (
      <>
        <h1 tabIndex={-1}>{route.name} is unknown</h1>
        <p>
          No release of it has ever been live. <RoomLink to={OVERVIEW}>See all remotes</RoomLink>
        </p>
      </>
    );
  if (route.view === 'remote') return <RemotePage {...room} remote={remote} />;
  return (
    <ReleasePage {...room} remote={remote} version={route.version} key={`${route.name}@${route.version}`} />
  );
}

/** What signed-in people see: every view reads the same live board. */
function Room({
  caller,
  onSignedOut,
}: {
  readonly caller: SignedIn;
  readonly onSignedOut: () => void;
}): ReactNode {
  const { board, isConnected } = useBoard(onSignedOut);
  const route = readRoute(usePath());
  // Links within the room drop the query.
  const [page] = useState(() => originPage(location.search));
  useEffect(() => {
    const parts = 'name' in route ? [route.name] : [];
    document.title = [...parts, 'Control room'].join(' · ');
  });
  return (
    <>
      <header className={styles['bar']}>
        <RoomLink to={OVERVIEW}>
          <span className={styles['brand']}>Control room</span>
        </RoomLink>
        <p role="status" className={styles['connection']} data-live={isConnected}>
          {isConnected ? 'Live' : 'Connecting …'}
        </p>
        {page && <a href={page.href}>Back to {page.host + page.pathname}</a>}
        <p className={styles['caller']}>{caller.name}</p>
        <Button look="quiet" onClick={() => void signOut().finally(onSignedOut)}>
          Sign out
        </Button>
      </header>
      <main className={styles['main']}>
        {board ? <View route={route} board={board} caller={caller} /> : <Skeleton height="60vh" />}
      </main>
    </>
  );
}

/** The page: signing in, then the room. */
export function ControlRoom(): ReactNode {
  const [session, setSession] = useState<RoomSession | 'loading' | 'unreachable'>('loading');
  const load = useCallback(() => {
    readSession().then(setSession, () => setSession('unreachable'));
  }, []);
  useEffect(load, [load]);
  if (session === 'loading') return <div className={styles['main']} aria-busy="true" />;
  if (session === 'unreachable')
    return (
      <main className={styles['main']}>
        <h1>The registry doesn’t respond</h1>
        <Button onClick={load}>Try again</Button>
      </main>
    );
  if (!session.caller) return <SignIn {...session} onSignedIn={setSession} />;
  return <Room caller={session.caller} onSignedOut={load} />;
}

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
function SignIn({
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
