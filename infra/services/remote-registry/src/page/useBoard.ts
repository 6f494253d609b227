import { useEffect, useState } from 'react';
import type { RoomBoard } from '../room/roomView.ts';

export interface LiveBoard {
  /** Undefined until the first one arrives. */
  readonly board: RoomBoard | undefined;
  readonly isConnected: boolean;
}

const RETRY_MS = 3000;

/**
 * Follows the board while the page is visible; connects again when the connection ends. Hidden pages close theirs: a browser
 * has six connections to one server, for all its tabs and the pages that Back restores.
 */
export function useBoard(onLost: () => void): LiveBoard {
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
