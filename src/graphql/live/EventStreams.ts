import type { ServerResponse } from 'node:http';
import Negotiator from 'negotiator';
import { GRAPHQL_TYPE, JSON_TYPE } from '../mediaType.js';
import type { LiveStream } from './LiveStream.js';

const EVENT_STREAM = 'text/event-stream; charset=utf-8';

/** Interval of pings, in milliseconds. They keep proxies from closing an idle connection. */
const PING_MS = 12_000;

/** Whether the client asks for an event stream by name, and prefers it to JSON. */
export function wantsEvents(accept: string | undefined): boolean {
  return takesEvents(accept) && preferred(accept, [JSON_TYPE, GRAPHQL_TYPE, EVENT_STREAM]) === EVENT_STREAM;
}

/** Whether the client takes an event stream, by name, perhaps beside JSON. A subscription has no other form. */
export function takesEvents(accept: string | undefined): accept is string {
  const isNamed = accept?.toLowerCase().includes('text/event-stream') === true;
  return isNamed && preferred(accept, [EVENT_STREAM]) !== undefined;
}

function preferred(accept: string, available: string[]): string | undefined {
  return new Negotiator({ headers: { accept } }).mediaType(available);
}

/** The open event streams of one service. One timer sends pings to all. */
export class EventStreams {
  private readonly open = new Set<ServerResponse>();
  private pinging: NodeJS.Timeout | undefined;
  private closing = false;

  /** Begins an answer of type `text/event-stream`, unless its client is gone. */
  begin(response: ServerResponse): void {
    if (response.destroyed) return;
    const { open } = this;
    response.statusCode = 200;
    response.setHeader('Content-Type', EVENT_STREAM);
    response.setHeader('Cache-Control', 'no-store, no-transform');
    // Nginx would buffer the events.
    response.setHeader('X-Accel-Buffering', 'no');
    response.write(':\n\n');
    if (this.closing) response.destroy();
    open.add(response);
    response.once('close', () => {
      open.delete(response);
      if (open.size === 0) clearInterval(this.pinging);
    });
    if (open.size === 1) this.pinging = setInterval(() => this.ping(), PING_MS).unref();
  }

  /** Sends a stream by the protocol GraphQL over SSE, distinct connections mode. */
  async send(response: ServerResponse, stream: LiveStream): Promise<void> {
    response.once('close', () => stream.end());
    if (response.destroyed) stream.end();
    this.begin(response);
    for await (const message of stream) await write(response, eventOf(message.eventId, message.text));
    if (!response.destroyed) response.end(COMPLETE);
  }

  /** Sends the one result of a query or mutation. @param text its JSON */
  sendOnce(response: ServerResponse, text: string): void {
    this.begin(response);
    response.end(eventOf('', text) + COMPLETE);
  }

  /** Closes all open streams without a completion event, so that clients reconnect to another process. */
  abandon(): void {
    this.closing = true;
    for (const response of this.open) response.destroy();
  }

  /** Skips clients that have not yet read the last event. */
  private ping(): void {
    for (const response of this.open) if (response.writableLength === 0) response.write(':\n\n');
  }
}

const COMPLETE = 'event: complete\ndata:\n\n';

/** An event ends with a blank line. JSON contains no line breaks, except at its end. */
function eventOf(eventId: string, text: string): string {
  const id = eventId === '' ? '' : `id: ${eventId}\n`;
  return `event: next\n${id}data: ${text.trimEnd()}\n\n`;
}

function write(response: ServerResponse, text: string): Promise<void> {
  return new Promise((resolve) => {
    response.write(text, () => resolve());
  });
}
