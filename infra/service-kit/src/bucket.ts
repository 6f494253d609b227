import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { z } from 'zod';

import { type EgressRule, mustAllow } from './egress.ts';

export interface S3Options {
  bucket: string;
  /** Prefix of every key, e.g. 'registry/'; empty or with a '/' at its end. */
  prefix: string;
  region: string;
  /** Endpoint of an S3-compatible server; default: Amazon's. */
  endpoint?: string | undefined;
  /** `endpoint/bucket/key` instead of `bucket.endpoint/key`. */
  isPathStyle?: boolean;
  /** Default: the SDK's credential chain. */
  credentials?: { accessKeyId: string; secretAccessKey: string };
}

/** Objects by key; a '/' in a key separates folders. @throws the storage's errors */
export interface Bucket {
  /** For messages. */
  urlOf(key: string): string;
  /** Undefined without the object, as are the next two. */
  readText(key: string): Promise<string | undefined>;
  /** Within `timeoutMs` with all attempts, where a network is involved. */
  readBytes(key: string, timeoutMs?: number): Promise<Buffer | undefined>;
  open(key: string): Promise<Readable | undefined>;
  /** Writes or replaces an object, which is durable when it returns. */
  put(key: string, body: Buffer | string, contentType?: string): Promise<void>;
  /** A no-op without the object. */
  remove(key: string): Promise<void>;
  /** Keys below `folder` in order, optionally only those after `after`, with their last write time. */
  list(folder: string, after?: string): AsyncGenerator<{ key: string; writtenAt: Date | undefined }>;
}

/** Amazon's servers of buckets, by region. */
const AMAZON_S3 = /(?:^|\.)s3[.-][a-z0-9.-]*amazonaws\.com(?:\.cn)?$/;

/** The policy: the configured endpoint, whose host may begin with the bucket's name, or Amazon's. */
function bucketRule({ bucket, endpoint }: S3Options): Pick<EgressRule, 'purpose' | 'allows'> {
  const purpose = 'bucket';
  if (endpoint === undefined)
    return { purpose, allows: ({ protocol, hostname }) => protocol === 'https:' && AMAZON_S3.test(hostname) };
  const { protocol, host } = new URL(endpoint);
  return {
    purpose,
    allows: (url) => url.protocol === protocol && (url.host === host || url.host === `${bucket}.${host}`),
  };
}

/** Where the SDK is about to send a request. */
const destinationSchema = z.object({
  protocol: z.string(),
  hostname: z.string(),
  port: z.number().optional(),
});

/** ms of one attempt; the SDK makes up to three, with pauses, if the server fails or does not respond. */
const CONNECT_MS = 3_000;
const REQUEST_MS = 15_000;

/** Requests to S3 or a compatible server, on keys below one prefix of one bucket. @throws the SDK's errors */
export class S3Bucket implements Bucket {
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #prefix: string;

  constructor(options: S3Options) {
    const { bucket, prefix, region, endpoint, isPathStyle = false, credentials } = options;
    this.#bucket = bucket;
    this.#prefix = prefix;
    this.#client = new S3Client({
      region,
      endpoint,
      forcePathStyle: isPathStyle,
      credentials,
      // Compatible servers refuse checksums that they don't know; the signature or TLS protects the content.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        connectionTimeout: CONNECT_MS,
        requestTimeout: REQUEST_MS,
        // Otherwise the SDK only warns.
        throwOnRequestTimeout: true,
      },
    });
    const rule = bucketRule(options);
    // After the endpoint is chosen, which the SDK also reads from its own variables and files; before each attempt.
    this.#client.middlewareStack.add(
      (next) => (args) => {
        const { protocol, hostname, port } = destinationSchema.parse(args.request);
        mustAllow(rule, new URL(`${protocol}//${hostname}${port === undefined ? '' : `:${port}`}`));
        return next(args);
      },
      { step: 'finalizeRequest', priority: 'low', name: 'egress' },
    );
  }

  urlOf(key: string): string {
    return `s3://${this.#bucket}/${this.#prefix}${key}`;
  }

  async readText(key: string): Promise<string | undefined> {
    return (await this.#get(key))?.Body?.transformToString();
  }

  async readBytes(key: string, timeoutMs?: number): Promise<Buffer | undefined> {
    // The signal ends the request with its response's body.
    const signal = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
    const body = (await this.#get(key, signal))?.Body;
    return body instanceof Readable ? await buffer(body) : undefined;
  }

  async open(key: string): Promise<Readable | undefined> {
    const body = (await this.#get(key))?.Body;
    return body instanceof Readable ? body : undefined;
  }

  async #get(key: string, abortSignal?: AbortSignal) {
    try {
      return await this.#client.send(this.#command(GetObjectCommand, key), { abortSignal });
    } catch (error) {
      if (error instanceof NoSuchKey) return undefined;
      throw error;
    }
  }

  async put(key: string, body: Buffer | string, contentType = 'application/octet-stream'): Promise<void> {
    await this.#client.send(
      new PutObjectCommand({
        Bucket: this.#bucket,
        Key: this.#prefix + key,
        Body: body,
        ContentType: contentType,
      }),
    );
  }

  async remove(key: string): Promise<void> {
    await this.#client.send(this.#command(DeleteObjectCommand, key));
  }

  async *list(folder: string, after?: string): AsyncGenerator<{ key: string; writtenAt: Date | undefined }> {
    let token: string | undefined;
    do {
      const page = await this.#client.send(
        new ListObjectsV2Command({
          Bucket: this.#bucket,
          Prefix: this.#prefix + folder,
          ...(after === undefined ? {} : { StartAfter: this.#prefix + after }),
          ...(token === undefined ? {} : { ContinuationToken: token }),
        }),
      );
      for (const { Key, LastModified } of page.Contents ?? [])
        if (Key !== undefined) yield { key: Key.slice(this.#prefix.length), writtenAt: LastModified };
      token = page.IsTruncated ? page.NextContinuationToken : undefined;
    } while (token !== undefined);
  }

  #command<C>(Command: new (input: { Bucket: string; Key: string }) => C, key: string): C {
    return new Command({ Bucket: this.#bucket, Key: this.#prefix + key });
  }
}
