/** What a stand-in received. */
export type Arrival =
  | {
      readonly kind: 'request';
      readonly host: string;
      readonly isTls: boolean;
      readonly method: string;
      readonly path: string;
      readonly headers: Readonly<Record<string, string | string[] | undefined>>;
      /** In base64. */
      readonly body: string;
    }
  /** A connection to a server of the internal network, whatever was said there. */
  | { readonly kind: 'internal'; readonly address: string; readonly port: number }
  /** An email, or its sender alone at the server without TLS. */
  | { readonly kind: 'email'; readonly port: number; readonly isTls: boolean; readonly source: string };

export type HttpArrival = Extract<Arrival, { kind: 'request' }>;
