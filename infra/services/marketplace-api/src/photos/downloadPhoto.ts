import { createHash } from 'node:crypto';
import type { PhotoProblem, StockPhoto } from '../domain/photo.ts';
import { type Egress, createEgress, EGRESS, EgressError } from '../http/egress.ts';
import type { PhotoEncoder } from './photoEncoder.ts';
import type { PhotoFiles } from './photoFiles.ts';
import type { DuePhoto, PhotoStore } from './photoStore.ts';
import { isPicture } from './pictureType.ts';

export interface DownloadParts {
  readonly store: PhotoStore;
  readonly files: PhotoFiles;
  readonly encoder: PhotoEncoder;
  /** Origins of the operator's own network that photos may come from. */
  readonly internalOrigins?: readonly string[];
}

const problemOf = (error: unknown): PhotoProblem => {
  if (!(error instanceof EgressError)) return 'UNREACHABLE';
  return error.code === 'REDIRECTED' ? 'REFUSED' : error.code;
};

/** The 128 bits by which a photo is known. */
const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex').slice(0, 32);

/** Returns a function that fetches one photo through the egress policy of its feed, encodes it and writes its files. */
export function createDownload({ store, files, encoder, internalOrigins = [] }: DownloadParts) {
  const internal = createEgress(EGRESS.internalPhotos(internalOrigins));
  const egresses = new Map<string, Egress>();
  const egressFor = (source: string, url: string): Egress => {
    if (URL.canParse(url) && internalOrigins.includes(new URL(url).origin)) return internal;
    const hosts = store.hostsOf(source);
    const key = hosts.join(' ');
    const egress = egresses.get(key) ?? createEgress(EGRESS.photos(hosts));
    egresses.set(key, egress);
    return egress;
  };

  // Downloads at the same time may bring the same bytes.
  const encoding = new Map<string, Promise<StockPhoto | PhotoProblem>>();
  async function encode(hash: string, bytes: Uint8Array): Promise<StockPhoto | PhotoProblem> {
    const encoded = await encoder.encode(bytes);
    if (typeof encoded === 'string') return encoded;
    await files.write(hash, encoded.files);
    return { hash, ...encoded.photo };
  }

  return async function download({ url, source }: DuePhoto): Promise<StockPhoto | PhotoProblem> {
    let bytes: Uint8Array;
    try {
      const response = await egressFor(source, url)(url);
      if (response.status !== 200) return `HTTP_${response.status}`;
      bytes = new Uint8Array(await response.arrayBuffer());
    } catch (error) {
      return problemOf(error);
    }
    if (!isPicture(bytes)) return 'NOT_A_PICTURE';
    const hash = hashOf(bytes);
    const known = store.find(hash) ?? encoding.get(hash);
    if (known) return known;
    const result = encode(hash, bytes).finally(() => encoding.delete(hash));
    encoding.set(hash, result);
    return result;
  };
}
