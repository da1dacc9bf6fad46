import { retryWorkflow } from '../commands/retryWorkflow.js';
import { operate } from './operate.js';

const USAGE = `npm run workflows:retry ID

Takes a failed workflow up again where it stopped.`;

await operate({
  usage: USAGE,
  options: {},
  argument: 'ID',
  async run(database, { ID: id }) {
    if (typeof id !== 'string') throw new TypeError('The ID of a workflow is missing.');
    const { type } = await retryWorkflow(database, id, new Date());
    return `${id} (${type}) is accepted again; a worker will take it up.`;
  },
});
