/** One thing to measure: requests to a server, answered with the data that its group answers with. */
export interface Target {
  group: Group;
  name: string;
  server: string;
  request: (customerId: string) => RequestParts;
  /** The content of the answer. It must equal that of the group's other targets. */
  read: (text: string) => unknown;
  /** Measured for its own sake: its answer is compared with the group's, but aims do not speak of it. */
  note?: string;
}

export interface RequestParts {
  path: string;
  /** A GraphQL operation; absent: GET. */
  query?: string;
}

export type Group = 'profile' | 'graphql-full' | 'graphql-part' | 'claims' | 'customer';

/** The bytes of a request as any client would send it. */
export function requestBytes({ path, query }: RequestParts, token: string, customerId: string): Buffer {
  const headers = `Host: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\nAccept: application/json\r\n`;
  if (query === undefined) return Buffer.from(`GET ${path} HTTP/1.1\r\n${headers}\r\n`);
  const body = JSON.stringify({ query, variables: { id: customerId } });
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\n${headers}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
