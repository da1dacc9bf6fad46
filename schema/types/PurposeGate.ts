import { ObjectType } from 'type-graphql';
import type { Purpose } from '../../src/domain/purposes.js';
import { ConsentPurpose, DecidingGate } from '../enums.js';
import { NonNull, Nullable } from '../fields.js';

@ObjectType({ description: 'Whether the facts of a purpose may be read now, and what decided.' })
export class PurposeGate {
  @NonNull(() => ConsentPurpose) purpose: Purpose;
  @NonNull(() => Boolean, 'Whether data of the purpose may be read now.') isOpen: boolean;

  @Nullable(
    () => DecidingGate,
    'What keeps the purpose shut, or empty though it is open; null when nothing does.',
  )
  decidedBy?: 'purpose' | 'receipt' | 'epoch' | null;
}
