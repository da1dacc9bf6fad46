import { createStore } from '../client/createStore.ts';

/** What screen readers are told of the page. It stands in the frame: what comes and goes is not read out. */
export const announcement = createStore('');
