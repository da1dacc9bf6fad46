import { apps } from '../../entities/AppEntity.js';
import type { AppRow } from '../../entities/AppEntity.js';
import { APP_ERASURE_COLUMNS } from '../../entities/AppErasureEntity.js';
import { deleteApp } from '../commands/deleteApp.js';
import { timeOfChange } from '../commands/timeOfChange.js';
import { requireKept } from '../commands/lockApp.js';
import type { JsonObject } from '../domain/jsonValue.js';
import { validationFailed } from '../errors.js';
import type { OperatorAction, OperatorScope } from './OperatorAction.js';
import { PAGE_PARAMETERS, readPage } from './readPage.js';
import { foundApp } from './readGiven.js';

const STATUSES = ['active', 'disabled'];

const LIST = {
  name: 'operator_apps',
  text: `SELECT app_id, name, client_type, status, allowed_scopes, created_at, updated_at FROM apps
          WHERE ($1::text IS NULL OR status = $1) AND ($2::text IS NULL OR app_id > $2) ORDER BY app_id
            LIMIT $3`,
};

const ERASURES = {
  name: 'operator_erasures',
  text: `SELECT ${APP_ERASURE_COLUMNS} FROM app_erasures
          WHERE ($1::text IS NULL OR erasure_id = $1) AND ($2::text IS NULL OR erasure_id > $2)
            ORDER BY erasure_id LIMIT $3`,
};

const APP = { name: 'app', says: 'the id of an app', required: true };

async function setStatus(
  { database, clock }: OperatorScope,
  appId: string,
  status: AppRow['status'],
): Promise<JsonObject> {
  const row = await database.transaction(null, async (tx) => {
    const key = { app_id: appId };
    const stored = await apps.find(tx, ['updated_at'], key, 'FOR UPDATE');
    if (status === 'active') await requireKept(tx, appId);
    if (stored === undefined) return undefined;
    return apps.updateRow(tx, key, { status, updated_at: timeOfChange(clock(), stored.updated_at) });
  });
  return { ...foundApp(row, appId) } as JsonObject;
}

export const appActions: readonly OperatorAction[] = [
  {
    words: 'apps list',
    summary: 'Lists the apps.',
    method: 'GET',
    path: '/apps',
    parameters: [{ name: 'status', says: 'only those', values: STATUSES }, ...PAGE_PARAMETERS],
    run: ({ database }, given) =>
      readPage(given, 'app_id', (...window) => database.read(LIST, [given['status'] ?? null, ...window])),
  },
  {
    words: 'apps show',
    summary: 'Shows an app.',
    method: 'GET',
    path: '/apps/:app',
    argument: 'app',
    parameters: [APP],
    async run({ database }, { app = '' }) {
      const row = await apps.find(database, apps.columns, { app_id: app });
      return { ...foundApp(row, app) } as JsonObject;
    },
  },
  {
    words: 'apps disable',
    summary: 'Disables an app: its tokens are refused on every node at once. Nothing is erased.',
    method: 'POST',
    path: '/apps/:app/disable',
    argument: 'app',
    parameters: [APP],
    run: (scope, { app = '' }) => setStatus(scope, app, 'disabled'),
  },
  {
    words: 'apps enable',
    summary: 'Enables an app that was disabled.',
    method: 'POST',
    path: '/apps/:app/enable',
    argument: 'app',
    parameters: [APP],
    run: (scope, { app = '' }) => setStatus(scope, app, 'active'),
  },
  {
    words: 'apps delete',
    summary: 'Deletes an app and erases all it has, for ever. It is disabled at once; workers erase.',
    method: 'DELETE',
    path: '/apps/:app',
    argument: 'app',
    parameters: [APP, { name: 'confirm', says: 'the id of the app again', required: true }],
    status: 202,
    async run({ database, clock }, { app = '', confirm }) {
      if (confirm !== app)
        throw validationFailed([
          { code: 'invalid_value', message: 'must be the id of the app', field: 'confirm' },
        ]);
      return { ...(await database.transaction(null, (tx) => deleteApp(tx, app, clock()))) };
    },
  },
  {
    words: 'erasures list',
    summary: 'Lists the deletions of apps and how far they are.',
    method: 'GET',
    path: '/erasures',
    parameters: [{ name: 'erasure', says: 'only this one' }, ...PAGE_PARAMETERS],
    run: ({ database }, given) =>
      readPage(given, 'erasure_id', (...window) =>
        database.read(ERASURES, [given['erasure'] ?? null, ...window]),
      ),
  },
];
