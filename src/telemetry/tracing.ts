/**
 * A piece of work that is traced. Names and attributes never hold a person's data, a token or a value of a
 * statement.
 */
export interface SpanStart {
  name: string;
  kind: 'internal' | 'server' | 'client' | 'consumer';
  attributes: Readonly<Record<string, string | number>>;
}

export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** A span that others end. */
export interface OpenSpan {
  /** Runs work as part of the span. */
  within(work: () => void): void;
  end(name: string, attributes: SpanStart['attributes'], failed: boolean): void;
}

/** Handed to whatever makes spans; absent where no endpoint is configured. */
export interface Tracing {
  /** Does `work` in a span; its failure is the span's. */
  inSpan<T>(start: SpanStart, work: () => Promise<T>): Promise<T>;
  /** Opens a span below the one that a request's headers name (W3C Trace Context). */
  open(start: SpanStart, headers: Headers): OpenSpan;
  /** The headers that name the span under way to others. */
  headers(): Record<string, string>;
}
