import { ADMIN_SCOPE } from '../commands/CommandContext.js';
import 'reflect-metadata';
import { readFile } from 'node:fs/promises';
import { putOntology } from '../commands/putOntology.js';
import type { Database } from '../database/Database.js';
import { ServiceError, validationFailed } from '../errors.js';
import { atPlace, ontologiesFrom } from './ontologiesFrom.js';
import { operate } from './operate.js';
import type { Told } from './runProgram.js';
import { withFile } from './withFile.js';

const USAGE = `npm run ontology:import FILE

FILE contains one ontology or an array of them as JSON, each with its "id" and the body of
PUT /v1/ontologies/{ontology_id}:
  {"id": "book", "name": "Book", "version": "1", "identity_fields": ["isbn"],
   "fields": [{"name": "isbn", "type": "string", "required": true, "label": "ISBN"}]}
All of them are imported, or none.`;

await operate({
  words: 'ontology import',
  usage: USAGE,
  options: {},
  argument: 'FILE',
  paths: ['FILE'],
  async run(database, { FILE: file }, clock) {
    if (typeof file !== 'string') throw new TypeError('The FILE to import is missing.');
    const document = await withFile(
      file,
      async () => JSON.parse((await readFile(file, 'utf8')).replace(/^\uFEFF/, '')) as unknown,
    );
    const told = await importAll(database, document, clock());
    return told.text === '' ? { ...told, text: `${file} has no ontology.` } : told;
  },
});

async function importAll(database: Database, document: unknown, now: Date): Promise<Told> {
  const ontologies = await ontologiesFrom(document);
  const imported = await database.transaction(ADMIN_SCOPE, async (tx) => {
    const done: { id: string; status: string }[] = [];
    for (const { id, input, place } of ontologies) {
      const { status } = await putOntology(tx, { now }, id, input).catch((error: unknown) => {
        throw error instanceof ServiceError ? refusedAt(place, error) : error;
      });
      done.push({ id, status });
    }
    return done;
  });
  return {
    text: imported.map(({ id, status }) => `${id}: ${status}`).join('\n'),
    data: { ontologies: imported },
  };
}

function refusedAt(place: string, { code, message, facts }: ServiceError): ServiceError {
  const details = (facts.details ?? []).map((detail) => atPlace(place, detail));
  if (code === 'validation_failed') return validationFailed(details);
  return new ServiceError(code, place === '' ? message : `${place}: ${message}`, { details });
}
