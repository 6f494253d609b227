/** A failure for operators to investigate. */
interface Report {
  /** Stable; the troubleshooting page lists it. */
  readonly code: string;
  readonly message: string;
  readonly requestId: string;
}

/** Reports failures to monitoring. */
export type Reporter = (report: Report) => void;
