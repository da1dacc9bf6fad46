/** A node of a plan; the numbers are there when it was also run. */
export interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

/** A row that EXPLAIN answers with in the format JSON. */
export interface Explained {
  'QUERY PLAN': [{ Plan: PlanNode }];
}

/** All nodes of a plan. */
export function planNodes(rows: readonly Explained[]): PlanNode[] {
  return rows.flatMap(({ 'QUERY PLAN': [{ Plan: top }] }) => withBelow(top));
}

function withBelow(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(withBelow)];
}
