import { Arg, Mutation } from 'type-graphql';

/**
 * A mutation, null when it is refused. It has an argument for the idempotency key, which the guard reads and
 * resolvers do not declare.
 */
export function Command(type: () => new () => object, description: string): MethodDecorator {
  return (prototype, name, method) => {
    Mutation(type, { nullable: true, description })(prototype, name, method);
    const { length } = method.value as unknown as (...given: unknown[]) => unknown;
    takeKey(prototype, name, length);
  };
}

const takeKey = Arg('idempotencyKey', () => String, {
  description:
    '16 to 255 printable ASCII characters. The same key and input again replays the first result for 24 hours.',
});
