import { Float, ID, ObjectType } from 'type-graphql';
import type { JsonValue } from '../../src/domain/jsonValue.js';
import type { Purpose } from '../../src/domain/purposes.js';
import type { StoredJson } from '../../src/documents/FreeForm.js';
import type { StoredText } from '../../src/documents/StoredText.js';
import { ConsentPurpose } from '../enums.js';
import { NonNull, Nullable } from '../fields.js';
import { AttributeValueScalar, DateTimeScalar } from '../scalars.js';
import { Claim } from './Claim.js';

@ObjectType({ description: 'A value that lost.' })
export class Alternative {
  @NonNull(() => AttributeValueScalar, 'A value that lost.') value: JsonValue | StoredJson;
  @NonNull(() => Float, 'Posterior probability of this value, 0 to 1.') confidence: number;

  @NonNull(
    () => String,
    '`lower_confidence`, `older_observation`, `less_accurate_source` or `copied_source`.',
  )
  reason: string;
}

@ObjectType({ description: 'The value that claims of one purpose make most probable.' })
export class ResolvedProfileFact {
  @NonNull(() => String) attribute: string;
  @NonNull(() => AttributeValueScalar, 'The value that won.') resolvedValue: JsonValue | StoredJson;
  @NonNull(() => Float, 'Posterior probability that the value is true, 0 to 1.') confidence: number;

  @NonNull(() => String, '`single_source`, `consensus`, `accuracy_vote`, `most_recent` or `union`.')
  resolutionMethod: string;

  @NonNull(() => ConsentPurpose) consentPurpose: Purpose;

  @NonNull(() => [Claim], 'The claims that support the value, strongest first, at most 20.')
  evidence: Claim[];

  @Nullable(() => [Alternative], 'At most 10, most probable first.') alternatives?: Alternative[] | null;
}

@ObjectType({ description: 'The facts of the purposes that are granted now.' })
export class ResolvedProfile {
  @NonNull(() => ID) customerId: string;

  @NonNull(() => [ResolvedProfileFact], 'One fact for each attribute and purpose, in their order.')
  facts: ResolvedProfileFact[] | StoredText;

  @NonNull(() => DateTimeScalar, 'When what is shown last changed.') resolvedAt: string;
}
