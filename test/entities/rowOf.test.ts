import { readdirSync } from 'node:fs';
import { expect } from 'chai';
import { getMetadataArgsStorage } from 'typeorm';
import { APP_COLUMNS } from '../../entities/AppEntity.js';
import { ENTRY_COLUMNS } from '../../entities/EntryEntity.js';
import { WORKFLOW_COLUMNS } from '../../entities/WorkflowEntity.js';

describe('the rows of entities', () => {
  before(async () => {
    for (const file of readdirSync('entities').filter((name) => name.endsWith('Entity.ts')))
      await import(`../../entities/${file.replace('.ts', '.js')}`);
  });

  it('have columns named as RowOf names them: no entity names one otherwise', () => {
    const { columns } = getMetadataArgsStorage();
    expect(columns).to.have.length.greaterThan(200);
    expect(columns.filter(({ options }) => options.name !== undefined)).to.deep.equal([]);
  });

  it('are selected by every column, in the order of the entity, and without secrets', () => {
    expect(WORKFLOW_COLUMNS).to.equal(
      'app_id, workflow_id, type, status, subject, error, attempts, created_at, updated_at',
    );
    expect(ENTRY_COLUMNS).to.match(/^e\.app_id, e\.entry_id, e\.ontology_id, /);
    expect(APP_COLUMNS).to.include('granted_scopes').and.not.include('secret');
  });
});
