import { parse } from 'libpg-query';
import { returnsEveryColumn } from './returnsEveryColumn.js';

type Node = Record<string, unknown>;

/** Tables of a database by how they are scoped. */
export interface Tables {
  /** Rows belong to an app: distributed by `app_id`. */
  ofApps: ReadonlySet<string>;
  /** Few rows, written by operators, copied to every shard. */
  references: ReadonlySet<string>;
  /** Read before any app is known. */
  directories: ReadonlySet<string>;
}

const SESSION_STATE =
  /\bpg_(try_)?advisory_(?!xact)lock|\bLISTEN\b|\bPREPARE\b|\bTEMP(ORARY)?\b|\bWITH HOLD\b/i;

/**
 * What keeps a statement from running on one shard of a database distributed by `app_id`, behind a
 * transaction pooler.
 */
export async function examineStatement(text: string, tables: Tables): Promise<string[]> {
  const problems: string[] = [];
  if (SESSION_STATE.test(text)) problems.push('keeps state in its session');
  const tree = (await parse(text)) as Node;
  const scopes = scopesIn(tree);
  const ctes = new Set(find(tree, 'CommonTableExpr').map(({ ctename }) => String(ctename)));
  for (const range of find(tree, 'RangeVar')) {
    const name = String(range['relname']);
    if (ctes.has(name)) continue;
    const isKnown = [tables.ofApps, tables.references, tables.directories].some((kind) => kind.has(name));
    if (!isKnown) problems.push(`reads ${name}, which is no table of ours`);
    const alias = String((range['alias'] as Node | undefined)?.['aliasname'] ?? name);
    if (tables.ofApps.has(name) && !isScoped(tree, name, alias, scopes))
      problems.push(`does not name the app of ${alias}`);
  }
  for (const insert of find(tree, 'InsertStmt'))
    if (copies(insert)) problems.push('copies rows: end INSERT … SELECT in RETURNING or ON CONFLICT');
  for (const insert of find(tree, 'InsertStmt'))
    if (sharesRows(insert, ctes)) problems.push('inserts rows of another part of the statement');
  for (const { targetList } of find(tree, 'UpdateStmt'))
    if (setsElement(targetList)) problems.push('sets a column to a bare element of an array');
  for (const update of find(tree, 'UpdateStmt'))
    if (movesTime(update)) problems.push('adds an interval to a column, which depends on the time zone');
  if (returnsEveryColumn(tree)) problems.push('returns every column of a table');
  for (const { is_local, kind } of find(tree, 'VariableSetStmt'))
    if (is_local !== true || kind !== 'VAR_SET_VALUE') problems.push('sets a session variable');
  return problems;
}

/** Citus sends what it selected to the shard by COPY then, which row level security refuses. */
function copies({ selectStmt, returningClause, onConflictClause }: Node): boolean {
  const source = (selectStmt as { SelectStmt?: Node } | undefined)?.SelectStmt;
  const selects = source !== undefined && source['valuesLists'] === undefined;
  return selects && returningClause === undefined && onConflictClause === undefined;
}

/** Citus (13.2.2) takes such a value for the assignment of an element, and the whole server ends by it. */
function setsElement(targets: unknown): boolean {
  return (targets as { ResTarget: { val: Node } }[]).some(
    ({ ResTarget }) => 'A_Indirection' in ResTarget.val,
  );
}

/** Citus refuses functions of columns that depend on the session in an UPDATE. */
function movesTime(update: Node): boolean {
  return find(update, 'A_Expr').some(
    ({ lexpr, rexpr }) =>
      'ColumnRef' in ((lexpr as Node | undefined) ?? {}) &&
      find(rexpr, 'TypeCast').some((cast) => JSON.stringify(cast['typeName']).includes('"interval"')),
  );
}

/**
 * Citus sends the rows of a common table expression that an INSERT … SELECT reads to every node, so that it
 * fails while any of them is lost. One inside the SELECT stays on the coordinator.
 */
function sharesRows({ selectStmt }: Node, ctes: ReadonlySet<string>): boolean {
  const own = new Set(find(selectStmt, 'CommonTableExpr').map(({ ctename }) => String(ctename)));
  return find(selectStmt, 'RangeVar').some(({ relname }) => {
    const name = String(relname);
    return ctes.has(name) && !own.has(name);
  });
}

/** Whether Citus would send rows of a part of the statement to every node. */
export async function insertsSharedRows(text: string): Promise<boolean> {
  const tree = (await parse(text)) as Node;
  const ctes = new Set(find(tree, 'CommonTableExpr').map(({ ctename }) => String(ctename)));
  return find(tree, 'InsertStmt').some((insert) => sharesRows(insert, ctes));
}

/**
 * Aliases whose `app_id` is compared with a parameter or with another's `app_id`; `''` where no alias is
 * given.
 */
function scopesIn(tree: Node): Set<string> {
  const scopes = new Set<string>();
  for (const { lexpr, rexpr, name } of find(tree, 'A_Expr')) {
    if (JSON.stringify(name).includes('"="') === false) continue;
    const sides = [lexpr, rexpr] as Node[];
    const owners = sides.map((side) => ownerOfAppId(side));
    const bound = sides.some(
      (side) =>
        'ParamRef' in side ||
        'ParamRef' in (((side['TypeCast'] as Node | undefined)?.['arg'] as Node | undefined) ?? {}),
    );
    if (!bound && owners.includes(undefined)) continue;
    for (const owner of owners) if (owner !== undefined) scopes.add(owner);
  }
  return scopes;
}

/** The alias before `.app_id`, `''` without one; undefined for anything else. */
function ownerOfAppId(side: Node): string | undefined {
  const fields = (side['ColumnRef'] as { fields?: Node[] } | undefined)?.fields ?? [];
  const names = fields.map((field) => (field['String'] as { sval?: string } | undefined)?.sval);
  if (names.at(-1) !== 'app_id') return undefined;
  return names.length === 1 ? '' : names[0];
}

/** By a comparison, or for the target of an INSERT by a value for `app_id`. */
function isScoped(tree: Node, name: string, alias: string, scopes: ReadonlySet<string>): boolean {
  if (scopes.has(alias) || scopes.has('')) return true;
  return find(tree, 'InsertStmt').some(({ relation, cols }) => {
    const columns = ((cols ?? []) as { ResTarget: { name: string } }[]).map(
      ({ ResTarget }) => ResTarget.name,
    );
    return (relation as Node)['relname'] === name && columns.includes('app_id');
  });
}

/** Every node of a kind, wherever it stands; `RangeVar` stands bare in places. */
function find(value: unknown, kind: string): Node[] {
  if (Array.isArray(value)) return value.flatMap((item) => find(item, kind));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, held]) => {
    // FOR UPDATE OF names aliases.
    if (name === 'lockedRels') return [];
    const inner = find(held, kind);
    const isKind =
      name === kind || (kind === 'RangeVar' && name === 'relation' && 'relname' in (held as Node));
    return isKind ? [held as Node, ...inner] : inner;
  });
}
