import { Extensions, Subscription } from 'type-graphql';
import type { TopicOfField } from '../src/live/topic.js';

const subscribe = (): never => {
  throw new Error('Subscriptions are run by the live door alone, which guards every event.');
};

/**
 * Marks a field of `Subscription`. It is read again for every event (see `src/graphql/live`).
 *
 * @param kind the kind of change that causes an event
 * @param argument the argument with the id of its subject
 */
export function Live(
  type: () => new () => object,
  kind: TopicOfField['kind'],
  argument: string,
  description: string,
): MethodDecorator {
  const topic: TopicOfField = { kind, argument };
  return (prototype, name, method) => {
    Subscription(type, { nullable: true, subscribe, description })(prototype, name, method);
    (Extensions({ topic }) as MethodDecorator)(prototype, name, method);
  };
}
