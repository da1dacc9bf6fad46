import type pg from 'pg';

/** Closes a connection without the protocol's farewell, which a hanging host would never accept. */
export function cutConnection(client: pg.Client): void {
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}
