/**
 * The description of a span. Names and attributes never contain personal data, tokens or values of
 * statements.
 */
export interface SpanStart {
  name: string;
  kind: 'internal' | 'server' | 'client' | 'consumer';
  attributes: Readonly<Record<string, string | number>>;
}

export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** A span that its user ends. */
export interface OpenSpan {
  /** Runs work as part of the span. */
  within(work: () => void): void;
  end(name: string, attributes: SpanStart['attributes'], failed: boolean): void;
}

/** Creates spans; absent when no endpoint is configured. */
export interface Tracing {
  /** Runs `work` in a span. A failure of the work marks the span as failed. */
  inSpan<T>(start: SpanStart, work: () => Promise<T>): Promise<T>;
  /** Opens a child of the span that a request's headers name (W3C Trace Context). */
  open(start: SpanStart, headers: Headers): OpenSpan;
  /** The headers that name the current span to other services. */
  headers(): Record<string, string>;
}
