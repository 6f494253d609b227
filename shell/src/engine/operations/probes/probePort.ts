import { Worker } from 'node:worker_threads';
import type { ReadinessReport } from '../readiness.ts';

/** The response to `/health/ready`. */
export interface ProbeReport {
  readonly status: number;
  /** JSON. */
  readonly body: string;
}

export interface ProbeThreadData {
  readonly port: number;
  readonly host: string;
}

export type ProbeThreadMessage =
  | { readonly kind: 'listening' }
  | { readonly kind: 'failed'; readonly message: string };

export interface ProbePortOptions extends ProbeThreadData {
  /** Path of the thread's program. */
  readonly program: string;
  readonly readiness: () => ReadinessReport;
  /** The thread ended by itself. */
  readonly onEnd: (error: Error) => void;
}

const REPORT_MS = 500;

/**
 * Answers `/health/live` and `/health/ready` on a port and thread of their own. On
 * the port of the pages, a probe waits behind the connections of visitors: the
 * event loop accepts one per turn. Rejects when the port cannot be used.
 */
export async function openProbePort({
  program,
  readiness,
  onEnd,
  ...workerData
}: ProbePortOptions): Promise<{ readonly close: () => Promise<unknown> }> {
  const thread = new Worker(program, { workerData, stdout: false, stderr: false });
  const started = Promise.withResolvers<void>();
  thread.on('message', (message: ProbeThreadMessage) => {
    if (message.kind === 'listening') started.resolve();
    else started.reject(new Error(message.message));
  });
  thread.on('error', (error: Error) => {
    started.reject(error);
    onEnd(error);
  });
  const tell = () => {
    const { isReady, facts } = readiness();
    const report: ProbeReport = { status: isReady ? 200 : 503, body: JSON.stringify(facts) };
    thread.postMessage(report);
  };
  tell();
  const timer = setInterval(tell, REPORT_MS);
  timer.unref();
  const close = () => {
    clearInterval(timer);
    return thread.terminate();
  };
  try {
    await started.promise;
  } catch (error) {
    await close();
    throw error;
  }
  // Not before: while the shell starts, nothing else may keep the process running.
  thread.unref();
  return { close };
}
