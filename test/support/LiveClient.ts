import type { TestPartner } from './TestPartner.js';
import type { Json } from './TestPartner.js';

/** One event of a stream, as it was read. */
export interface SeenEvent {
  event: string;
  id: string | undefined;
  /** The JSON of `data`; undefined where it is empty. */
  data: Json;
  at: number;
}

/** A subscriber over SSE that keeps everything it was told. */
export class LiveClient {
  readonly events: SeenEvent[] = [];
  status = 0;
  contentType = '';
  /** The body of an answer that is no stream. */
  refusal: Json;
  ended = false;
  private readonly abort = new AbortController();
  private readonly waiting = new Set<() => void>();
  private text = '';

  /** Subscribes, and resolves when the answer began. */
  static async open(
    partner: TestPartner,
    query: string,
    variables: Record<string, unknown> = {},
    headers: Readonly<Record<string, string>> = {},
  ): Promise<LiveClient> {
    const client = new LiveClient();
    const response = await fetch(`${partner.baseUrl}/graphql`, {
      method: 'POST',
      headers: {
        ...partner.credentials,
        'content-type': 'application/json',
        accept: 'text/event-stream',
        ...headers,
      },
      body: JSON.stringify({ query, variables }),
      signal: client.abort.signal,
    });
    client.status = response.status;
    client.contentType = response.headers.get('content-type') ?? '';
    if (!client.contentType.startsWith('text/event-stream')) client.refusal = await response.json();
    else if (response.body !== null) void client.read(response.body);
    return client;
  }

  /** The results, without what ended the stream. */
  get results(): Json[] {
    return this.events.filter(({ event }) => event === 'next').map(({ data }) => data);
  }

  get isComplete(): boolean {
    return this.events.at(-1)?.event === 'complete';
  }

  /** Waits until the condition holds. The test's own timeout bounds it. */
  async until(condition: (client: LiveClient) => boolean): Promise<void> {
    while (!condition(this)) {
      if (this.ended) throw new Error(`The stream ended: ${JSON.stringify(this.events)}`);
      await new Promise<void>((wake) => this.waiting.add(wake));
    }
  }

  /** Waits for the end, by whichever side. */
  async over(): Promise<void> {
    while (!this.ended) await new Promise<void>((wake) => this.waiting.add(wake));
  }

  close(): void {
    this.abort.abort();
  }

  private async read(body: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    try {
      for await (const chunk of body) this.take(decoder.decode(chunk, { stream: true }));
    } catch {
      // The connection broke, or the test closed it.
    }
    this.ended = true;
    this.wake();
  }

  private take(chunk: string): void {
    this.text += chunk;
    const blocks = this.text.split('\n\n');
    this.text = blocks.pop() ?? '';
    for (const block of blocks) if (!block.startsWith(':')) this.events.push(parse(block));
    this.wake();
  }

  private wake(): void {
    const waiting = [...this.waiting];
    this.waiting.clear();
    for (const wake of waiting) wake();
  }
}

function parse(block: string): SeenEvent {
  const fields = new Map(
    block.split('\n').map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')];
    }),
  );
  const data = fields.get('data') ?? '';
  return {
    event: fields.get('event') ?? '',
    id: fields.get('id'),
    data: data === '' ? undefined : JSON.parse(data),
    at: performance.now(),
  };
}
