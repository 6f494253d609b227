import type { RoomCompatibility, RoomRelease, RoomSession, ShellGateResult } from '../room/roomView.ts';

/** A refused request; the message is for people. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

interface ErrorBody {
  readonly error?: { readonly code?: string; readonly message?: string };
}

async function request<T>(path: string, init?: RequestInit): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, { ...init, credentials: 'same-origin' });
  } catch {
    throw new RequestError(
      'UNREACHABLE',
      'The registry doesn’t respond. Check your connection and try again.',
    );
  }
  if (response.status === 204) return undefined as T;
  const body = (await response.json().catch(() => ({}))) as T & ErrorBody;
  if (response.ok) return body;
  const { code = 'UNREACHABLE', message = `the registry responded ${response.status}` } = body.error ?? {};
  throw new RequestError(code, message);
}

const post = <T>(path: string, body: object = {}): Promise<T> =>
  request<T>(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

const releasePath = (name: string, version: string) =>
  `/room/api/releases/${encodeURIComponent(name)}/${encodeURIComponent(version)}`;

export const readSession = () => request<RoomSession>('/room/api/session');
/** Without a token, as someone on this machine. */
export const signIn = (token?: string) =>
  post<RoomSession>('/room/api/session', token === undefined ? {} : { token });
export const signOut = () => post<undefined>('/room/api/session/end');
export const readCompatibility = () => request<RoomCompatibility>('/room/api/compatibility');
export const readRelease = (name: string, version: string) =>
  request<RoomRelease>(releasePath(name, version));
export const picturePath = (name: string, version: string, slot: string) =>
  `${releasePath(name, version)}/pictures/${encodeURIComponent(slot)}`;
export const tryRelease = (name: string, version: string) =>
  post<{ readonly gateResults: readonly ShellGateResult[] }>(`${releasePath(name, version)}/gate`);

export type Verb = 'canary' | 'promote' | 'rollback' | 'hold' | 'resume';
/** Moves a pointer through the registry's API. */
export const movePointer = (remote: string, verb: Verb, body: object) =>
  post<unknown>(`/api/remotes/${encodeURIComponent(remote)}/${verb}`, body);
