import { Extensions, Subscription } from 'type-graphql';
import type { TopicOfField } from '../src/live/topic.js';

const subscribe = (): never => {
  throw new Error('Subscriptions are run by the live door alone, which guards every event.');
};

/**
 * A subscription: its field is read anew for every event (`src/graphql/live` says when).
 *
 * @param kind of what wakes it
 * @param argument holds the id of its subject
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
