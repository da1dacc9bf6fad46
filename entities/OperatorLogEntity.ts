import { Check, Entity, Index } from 'typeorm';
import type { JsonObject } from '../src/domain/jsonValue.js';
import { Json, Key, Text, Time } from './columns.js';
import { columnsOf } from './rowOf.js';
import type { RowOf } from './rowOf.js';
import { Table } from './Table.js';

/** One act of an operator, or its outcome. Rows are added, never changed. */
@Entity({ name: 'operator_log' })
@Index('operator_log_request_idx', ['requestId'])
@Check('operator_log_via_check', "via = ANY (ARRAY['request'::text, 'command'::text])")
@Check(
  'operator_log_outcome_check',
  "outcome = ANY (ARRAY['begun'::text, 'done'::text, 'refused'::text, 'failed'::text])",
)
export class OperatorLogEntity {
  @Key() entryId: string;
  @Time() at: Date;
  /**
   * `key:` and the fingerprint of an administrative key, or `user:` and the login of the operating system.
   */
  @Text() operator: string;
  @Text() via: 'request' | 'command';
  /** The field of the schema, or the words of the command. */
  @Text() action: string;
  /** Ids and names of fields; no secrets and no personal data. */
  @Json() target: JsonObject;
  @Text() requestId: string;
  @Text() outcome: 'begun' | 'done' | 'refused' | 'failed';
  @Text({ nullable: true }) error: string | null;
}

export const operatorLog = new Table(OperatorLogEntity);

export type OperatorLogRow = RowOf<OperatorLogEntity>;

export const OPERATOR_LOG_COLUMNS = columnsOf(OperatorLogEntity);
