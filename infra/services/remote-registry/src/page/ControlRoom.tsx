import { useCallback, useEffect, useState, type ReactNode } from 'react';
import { Button, Skeleton } from '@forecourt/shared-contracts/ui';
import type { RoomSession, RoomBoard } from '../room/roomView.ts';
import { readSession, signOut } from './api.ts';
import { Compatibility } from './Compatibility.tsx';
import { Overview } from './Overview.tsx';
import { ReleasePage } from './ReleasePage.tsx';
import { RemotePage } from './RemotePage.tsx';
import { OVERVIEW, readRoute, RoomLink, usePath, type Route } from './route.tsx';
import { SignIn } from './SignIn.tsx';
import styles from './room.module.css';

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
  useEffect(() => {
    const parts = route.view === 'overview' ? [] : [route.name];
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
