import type { Caller } from '@forecourt/release-kit/credentials';
import type {
  holdsSchema,
  listSchema,
  PointerChange as StoredChange,
} from '@forecourt/release-kit/registryResponses';
import type { GateResult, Refusal } from '@forecourt/releases/gate';
import type { ReleaseManifest } from '@forecourt/releases/manifest';
import type { Pointers } from '@forecourt/releases/pointers';
import type { shellReportSchema } from '@forecourt/releases/shellReport';
import type { z } from 'zod';

// What the server of the control room sends to its page. Both are one deployable, so the page trusts these types.

export type ShellReport = z.infer<typeof shellReportSchema>;
export type PointerChange = StoredChange;

/** A replica of a shell; an unreachable one has no report. */
export interface RoomShell {
  readonly url: string;
  readonly report?: ShellReport;
  readonly problem?: string;
}

export interface RoomRemote {
  readonly name: string;
  readonly pointer: Pointers['remotes'][string];
  /** Where a rollback leads; undefined without an earlier release. */
  readonly previous: string | undefined;
  readonly hold: z.infer<typeof holdsSchema>['holds'][string] | undefined;
  /** When the canary's present share was set; ISO 8601. */
  readonly canarySince: string | undefined;
  /** The newest releases, newest first. */
  readonly releases: z.infer<typeof listSchema>['releases'];
}

/** Everything that the overview shows; sent again whenever it changes. */
export interface RoomBoard {
  readonly revision: number;
  readonly remotes: readonly RoomRemote[];
  /** Newest first. */
  readonly changes: readonly PointerChange[];
  readonly shells: readonly RoomShell[];
}

/** Who is signed in, or how to sign in. */
export interface RoomSession {
  readonly caller: Caller | undefined;
  /** This machine may sign in without a token. */
  readonly isLocal: boolean;
  /** People sign in at an OpenID Connect issuer. */
  readonly hasIssuer: boolean;
}

/** One release as it was published, against what shells require. */
export interface RoomRelease {
  readonly manifest: ReleaseManifest;
  /** The contracts that it was built for. */
  readonly contract: string;
  readonly publishedAt: string;
  readonly by?: string;
  readonly commit?: string | undefined;
  /** Key that signed it. */
  readonly keyId: string | undefined;
  /** Brotli bytes by path, of the files that compress. */
  readonly brotli: Readonly<Record<string, number>>;
  /** Undefined without a shell that responds. */
  readonly check:
    | {
        /** The shell's versions of the contracts. */
        readonly contract: string;
        readonly firstView: { readonly bytes: number; readonly budget: number; readonly reason: string };
        readonly refusals: readonly Refusal[];
      }
    | undefined;
}

/** Whether the releases that visitors have, or get by a rollback, fit the contracts of the shells. */
export interface RoomCompatibility {
  /** Shells that provide the same, by contract. */
  readonly hosts: readonly { readonly contract: string; readonly urls: readonly string[] }[];
  /** Shells that don't say what they provide. */
  readonly problems: readonly { readonly url: string; readonly problem: string }[];
  readonly releases: readonly {
    readonly name: string;
    readonly version: string;
    readonly role: 'live' | 'canary' | 'previous';
    /** The contracts that it was built for. */
    readonly contract: string;
    /** By host: what the checks refuse that don't run it. */
    readonly refusals: readonly (readonly Refusal[])[];
  }[];
}

/** What the gate of one replica found. */
export interface ShellGateResult {
  readonly url: string;
  /** To the page, `html` only says that there is a picture. */
  readonly result?: GateResult;
  readonly problem?: string;
}
