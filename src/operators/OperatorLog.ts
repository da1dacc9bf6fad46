import type { OperatorLogRow } from '../../entities/OperatorLogEntity.js';
import { operatorLog } from '../../entities/OperatorLogEntity.js';
import type { Database } from '../database/Database.js';
import { newId } from '../domain/ids.js';
import type { JsonObject } from '../domain/jsonValue.js';
import { ServiceError } from '../errors.js';

/** An act of an operator. */
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
 * The audit log of operators: one row before an act and one after it, neither ever changed. An act that
 * cannot be recorded is not done. An act without a second row was interrupted.
 */
export class OperatorLog {
  constructor(
    private readonly database: Pick<Database, 'query'>,
    private readonly clock: () => Date,
  ) {}

  /** Runs `work` between its two rows. */
  async recorded<T>(act: OperatorAct, work: () => Promise<T>): Promise<T> {
    await this.append(act, 'begun', null);
    let result: T;
    try {
      result = await work();
    } catch (error) {
      const isRefused = error instanceof ServiceError && error.status < 500;
      // The act's own error is thrown, even when the log cannot be written.
      await this.append(act, isRefused ? 'refused' : 'failed', codeOf(error)).catch(() => undefined);
      throw error;
    }
    await this.append(act, 'done', null);
    return result;
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

/** Only the code is kept, as messages may contain values. */
function codeOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return error instanceof Error ? error.constructor.name : typeof error;
}
