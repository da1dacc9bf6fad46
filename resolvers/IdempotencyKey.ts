import { Arg } from 'type-graphql';

/** The argument that every mutation takes. The guard reads it; resolvers need not. */
export function IdempotencyKey(): ReturnType<typeof Arg> {
  return Arg('idempotencyKey', () => String, {
    description:
      '16 to 255 printable ASCII characters. The same key and input again replays the first result for 24 hours.',
  });
}
