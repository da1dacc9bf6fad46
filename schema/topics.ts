import { Extensions } from 'type-graphql';
import type { TopicOfField } from '../src/live/topic.js';

/** Names the subject of a subscription field: what wakes it, and which argument holds its id. */
export function Watches(kind: TopicOfField['kind'], argument: string): MethodDecorator & PropertyDecorator {
  const topic: TopicOfField = { kind, argument };
  return Extensions({ topic }) as MethodDecorator & PropertyDecorator;
}
