import { createLog } from '../start/createLog.js';
import { openDatabase } from '../database/openDatabase.js';
import { latestMigration } from '../database/latestMigration.js';
import { readConfig } from '../start/readConfig.js';
import { runProgram } from './runProgram.js';

const USAGE = `npm run migrate

Brings the database to this version, and ends. Safe to run twice and beside running gateways.`;

await runProgram({
  usage: USAGE,
  options: {},
  async run(_options, _tell, asJson) {
    const config = await readConfig({ ...process.env, MIGRATIONS: 'start' });
    const opened = await openDatabase(config, createLog(asJson ? 'silent' : config.logLevel));
    await opened.stop();
    const migration = latestMigration();
    return { text: `The database is at ${migration}.`, data: { migration } };
  },
});
