import { Field, ObjectType } from 'type-graphql';
import type { Purpose } from '../../src/domain/purposes.js';
import { ConsentPurpose, DecidingGate } from '../enums.js';

@ObjectType({ description: 'Whether the facts of a purpose may be read now, and what decided.' })
export class PurposeGate {
  @Field(() => ConsentPurpose)
  purpose: Purpose;

  @Field(() => Boolean)
  isOpen: boolean;

  @Field(() => DecidingGate, {
    nullable: true,
    description: 'What keeps the purpose shut, or empty though it is open; null when nothing does.',
  })
  decidedBy?: 'purpose' | 'receipt' | 'epoch' | null;
}
