import pg from 'pg';

/** The part of pg's connection that writes protocol messages. */
interface Wire {
  parse(message: { text: string; name: string; types: never[] }): void;
  bind(message: { portal: string; statement: string; values: unknown[] }): void;
  execute(message: { portal: string; rows: number }): void;
}

interface RowDescription {
  fields: { dataTypeID: number; format: 'text' | 'binary' }[];
}

/** pg's own query, with the steps that its typings leave out. */
interface PreparedQuery {
  prepare(wire: Wire): void;
  handleRowDescription(message: RowDescription): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, wire: Wire): void;
}

const BaseQuery = pg.Query as unknown as new (
  config: pg.QueryConfig & { types: pg.CustomTypesConfig },
  values: unknown[],
  callback: (error: Error | undefined, result: pg.QueryResult) => void,
) => PreparedQuery & pg.Submittable;

const TEXT = 25;

/** Sets the app that row level security admits, for the current transaction only. */
export const SET_APP = { name: 'set_app', text: `SELECT set_config('consent.app_id', $1, true)` };

/** The same for a statement that is to be planned once (`Query.onePlan`). */
export const SET_APP_ONE_PLAN = {
  name: 'set_app_one_plan',
  text: `SELECT set_config('consent.app_id', $1, true), set_config('plan_cache_mode', 'force_generic_plan', true)`,
};

/** The app that a statement runs as, and the statement that says so. */
export interface AsApp {
  appId: string;
  setting: { name: string; text: string };
}

/**
 * One statement under row level security in one round trip: `set_config(…, true)` and the statement travel in the same
 * extended-protocol message group, which PostgreSQL runs as one implicit transaction (protocol docs, "Pipelining"), so the
 * setting ends with the statement and cannot leak to the next user of the connection, pooled or not.
 * Where the statement has a name, the setting must be prepared on the connection already; without one both are sent whole, which
 * works through poolers that do not know prepared statements.
 */
export class AppQuery extends BaseQuery {
  private readonly as: AsApp;
  private readonly named: boolean;
  private settingApp = true;

  constructor(
    as: AsApp,
    config: pg.QueryConfig & { types: pg.CustomTypesConfig },
    values: unknown[],
    callback: (error: Error | undefined, result: pg.QueryResult) => void,
  ) {
    super(config, values, callback);
    this.as = as;
    this.named = config.name !== undefined;
  }

  override prepare(wire: Wire): void {
    const { appId, setting } = this.as;
    if (!this.named) wire.parse({ text: setting.text, name: '', types: [] });
    wire.bind({ portal: '', statement: this.named ? setting.name : '', values: [appId] });
    wire.execute({ portal: '', rows: 0 });
    super.prepare(wire);
  }

  /** The binary form of a text is the text: pg, which would take it for something else, need not know. */
  override handleRowDescription(message: RowDescription): void {
    for (const field of message.fields) if (field.dataTypeID === TEXT) field.format = 'text';
    super.handleRowDescription(message);
  }

  /** The one row that comes before the first completion is `set_config`'s own. */
  override handleDataRow(message: unknown): void {
    if (!this.settingApp) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, wire: Wire): void {
    if (this.settingApp) this.settingApp = false;
    else super.handleCommandComplete(message, wire);
  }
}
