import type { OperatorLogRow } from '../../entities/OperatorLogEntity.js';
import { operatorLog } from '../../entities/OperatorLogEntity.js';
import type { Database } from '../database/Database.js';
import { newId } from '../domain/ids.js';
import type { JsonObject } from '../domain/jsonValue.js';
import { ServiceError } from '../errors.js';

/** Something that an operator sets out to do. */
export interface OperatorAct {
  /**
   * `key:` and the fingerprint of an administrative key, or `user:` and the login of the operating system.
   */
  operator: string;
  via: 'request' | 'command';
  /** The field of the schema, or the words of the command. */
  action: string;
  /** Ids and names of fields; no secrets and no personal data. */
  target: JsonObject;
  requestId: string;
}

/**
 * The audit log of operators: a row before an act and one after it, neither ever changed. What cannot be
 * recorded is not done; an act without its second row was cut short.
 */
export class OperatorLog {
  constructor(
    private readonly database: Pick<Database, 'query'>,
    private readonly clock: () => Date,
  ) {}

  /** Does `work` between its two rows. */
  async recorded<T>(act: OperatorAct, work: () => Promise<T>): Promise<T> {
    await this.append(act, 'begun', null);
    try {
      const result = await work();
      await this.append(act, 'done', null);
      return result;
    } catch (error) {
      const isRefused = error instanceof ServiceError && error.status < 500;
      // The act's own failure is the one to tell, even where the log cannot be written any more.
      await this.append(act, isRefused ? 'refused' : 'failed', codeOf(error)).catch(() => undefined);
      throw error;
    }
  }

  private async append(
    act: OperatorAct,
    outcome: OperatorLogRow['outcome'],
    error: string | null,
  ): Promise<void> {
    const { requestId, ...told } = act;
    const row = { entry_id: newId('opl'), at: this.clock(), ...told, request_id: requestId, outcome, error };
    await operatorLog.insert(this.database, row);
  }
}

/** Messages may carry values: the code alone is kept. */
function codeOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return error instanceof Error ? error.constructor.name : typeof error;
}
