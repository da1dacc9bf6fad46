import type { Connection } from '../../schema/connection.js';
import type { Ontology } from '../../schema/types/Ontology.js';
import { ONTOLOGY_COLUMNS, toOntology } from '../../entities/OntologyEntity.js';
import type { OntologyRow } from '../../entities/OntologyEntity.js';
import { countUpTo } from './countUpTo.js';
import type { ReadScope } from './ReadScope.js';
import { PageWindow } from './page.js';
import type { PageRequest } from './page.js';
import { readTimePosition, timePosition } from './timePosition.js';

// Row level security admits the app's own ontologies and those for all apps.
const BY_ID = {
  name: 'ontology_by_id',
  text: `SELECT ${ONTOLOGY_COLUMNS} FROM ontologies WHERE ontology_id = $1`,
};

const LIST = {
  name: 'ontologies_list',
  text: `SELECT ${ONTOLOGY_COLUMNS} FROM ontologies
         WHERE $1::timestamptz IS NULL OR (created_at, ontology_id) < ($1, $2) ORDER BY created_at DESC,
           ontology_id DESC LIMIT $3`,
};

const ALL = { name: 'ontologies', text: 'SELECT FROM ontologies' };

export async function loadOntology(context: ReadScope, id: string): Promise<Ontology | undefined> {
  const row = await loadOntologyRow(context, id);
  return row === undefined ? undefined : toOntology(row);
}

export async function loadOntologyRow(
  { services, appId }: ReadScope,
  id: string,
): Promise<OntologyRow | undefined> {
  const [row] = await services.database.readAs<OntologyRow>(appId, BY_ID, [id]);
  return row;
}

/** Ontologies visible to the app, newest first. */
export async function listOntologies(
  { services, appId }: ReadScope,
  request: PageRequest,
): Promise<Connection<Ontology>> {
  const scope = { appId, list: 'ontologies' };
  const page = new PageWindow(services.secrets, scope, request);
  const values = [...readTimePosition(page.after), page.limit];
  const rows = await services.database.readAs<OntologyRow>(appId, LIST, values);
  const read = (row: OntologyRow) => ({
    position: timePosition(row.created_at, row.ontology_id),
    node: toOntology(row),
  });
  return page.toPage(rows, read, countUpTo({ services, appId }, ALL, []));
}
