import { useSyncExternalStore, type MouseEvent, type ReactNode } from 'react';

export type Route =
  | { readonly view: 'overview' }
  | { readonly view: 'remote'; readonly name: string }
  | { readonly view: 'release'; readonly name: string; readonly version: string };

export const OVERVIEW = '/room';
export const remotePath = (name: string): string => `/room/${name}`;
export const releasePath = (name: string, version: string): string => `/room/${name}/${version}`;

/** Unknown paths show the overview. */
export function readRoute(path: string): Route {
  const [name, version] = path.split('/').filter(Boolean).slice(1);
  if (name === undefined) return { view: 'overview' };
  return version === undefined ? { view: 'remote', name } : { view: 'release', name, version };
}

/** The page of a site whose devtools led here; undefined without one. */
export function originPage(search: string): URL | undefined {
  const page = new URLSearchParams(search).get('page') ?? '';
  const url = URL.canParse(page) ? new URL(page) : undefined;
  return url && /^https?:$/.test(url.protocol) ? url : undefined;
}

const MOVED = 'room:moved';

const subscribe = (onChange: () => void) => {
  window.addEventListener('popstate', onChange);
  window.addEventListener(MOVED, onChange);
  return () => {
    window.removeEventListener('popstate', onChange);
    window.removeEventListener(MOVED, onChange);
  };
};

export const usePath = (): string => useSyncExternalStore(subscribe, () => location.pathname);

/** A link within the room; with a modifier key, the browser's own. */
export function RoomLink({ to, children }: { readonly to: string; readonly children: ReactNode }): ReactNode {
  const follow = (event: MouseEvent) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    history.pushState(null, '', to);
    window.dispatchEvent(new Event(MOVED));
    window.scrollTo(0, 0);
    document.querySelector<HTMLElement>('h1')?.focus();
  };
  return (
    <a href={to} onClick={follow}>
      {children}
    </a>
  );
}
