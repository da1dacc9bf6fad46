import type { IncomingMessage } from 'node:http';

/** Whether a header was sent more than once. Node keeps the first of some headers (`Authorization`) and drops the others silently. */
export function isRepeated({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>, name: string): boolean {
  let times = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const header = rawHeaders[at] ?? '';
    if (header.length === name.length && header.toLowerCase() === name) times += 1;
  }
  return times > 1;
}
