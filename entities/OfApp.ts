import { Key } from './columns.js';

/** A row of one app. The app id is first in its primary key, and row level security excludes other apps. */
export abstract class OfApp {
  @Key() appId: string;
}
