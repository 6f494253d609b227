import { useCallback, useEffect, useState, type ReactNode } from 'react';
import { Button, Skeleton } from '@forecourt/shared-contracts/ui';
import type { RoomSession } from '../room/roomView.ts';
import { readSession, signOut } from './api.ts';
import { Overview } from './Overview.tsx';
import { ReleasePage } from './ReleasePage.tsx';
import { RemotePage } from './RemotePage.tsx';
import { OVERVIEW, readRoute, RoomLink, usePath, type Route } from './route.tsx';
import { SignIn } from './SignIn.tsx';
import { useBoard } from './useBoard.ts';
import styles from './room.module.css';

type SignedIn = NonNullable<RoomSession['caller']>;

function View({ route, ...room }: { readonly route: Route } & Parameters<typeof Overview>[0]): ReactNode {
  const { board } = room;
  if (route.view === 'overview') return <Overview {...room} />;
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
