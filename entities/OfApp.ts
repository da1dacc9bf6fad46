import { Key } from './columns.js';

/** A row of one app: the app comes first in its primary key, and row level security keeps other apps out. */
export abstract class OfApp {
  @Key() appId: string;
}
