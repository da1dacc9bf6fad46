type Node = Record<string, unknown>;

/**
 * Whether the columns of the answer are those of a table: `SELECT *`, also through a subquery. PostgreSQL
 * refuses such a prepared statement once a migration has added a column ("cached plan must not change result
 * type"), so processes of the version before would fail until they are restarted.
 */
export function returnsEveryColumn(tree: Node): boolean {
  return nodesOf(tree['stmts']).some(({ stmt }) => {
    const [[kind, statement] = ['', {}]] = Object.entries(stmt as Record<string, Node>);
    if (kind === 'SelectStmt') return ofSelect(statement, new Map());
    const returned = (statement['returningClause'] as Node | undefined)?.['exprs'];
    return starsIn(returned).length > 0;
  });
}

function ofSelect(select: Node, outer: ReadonlyMap<string, Node>): boolean {
  const ctes = new Map([...outer, ...ctesOf(select)]);
  const arms = nodesOf([select['larg'], select['rarg']].filter(Boolean));
  if (arms.length > 0) return arms.some((arm) => ofSelect(arm, ctes));
  const sources = sourcesOf(nodesOf(select['fromClause']));
  return starsIn(select['targetList']).some((qualifier) =>
    sources.some((source) => isTable(source, qualifier, ctes)),
  );
}

function isTable(source: Node, qualifier: string | undefined, ctes: ReadonlyMap<string, Node>): boolean {
  const [[kind, item] = ['', {}]] = Object.entries(source as Record<string, Node>);
  const alias = (item['alias'] as Node | undefined)?.['aliasname'] ?? item['relname'];
  if (qualifier !== undefined && alias !== qualifier) return false;
  if (kind === 'RangeSubselect') return ofSelect(selectIn(item['subquery']), ctes);
  if (kind !== 'RangeVar') return false;
  const cte = ctes.get(String(item['relname']));
  return cte === undefined || ofSelect(cte, new Map());
}

/** The qualifiers of the stars in a list of targets; undefined of a bare one. */
function starsIn(targets: unknown): (string | undefined)[] {
  return nodesOf(targets).flatMap(({ ResTarget }) => {
    const value = (ResTarget as { val?: Node }).val?.['ColumnRef'] as Node | undefined;
    const fields = nodesOf(value?.['fields']);
    if (!fields.some((field) => 'A_Star' in field)) return [];
    return [(fields[0]?.['String'] as { sval?: string } | undefined)?.sval];
  });
}

function ctesOf(select: Node): [string, Node][] {
  const { ctes } = (select['withClause'] ?? {}) as Node;
  return nodesOf(ctes).map(({ CommonTableExpr }) => {
    const { ctename, ctequery } = CommonTableExpr as Node;
    return [String(ctename), selectIn(ctequery)];
  });
}

/** An empty one for a query that writes. */
function selectIn(query: unknown): Node {
  return ((query as Node)['SelectStmt'] ?? {}) as Node;
}

function sourcesOf(from: readonly Node[]): Node[] {
  return from.flatMap((source) => {
    const join = source['JoinExpr'] as Node | undefined;
    return join === undefined ? [source] : sourcesOf(nodesOf([join['larg'], join['rarg']]));
  });
}

function nodesOf(value: unknown): Node[] {
  return (value ?? []) as Node[];
}
