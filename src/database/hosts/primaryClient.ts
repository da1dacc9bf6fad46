import pg from 'pg';
import { hearStandby } from './hearStandby.js';
import { NoPrimary } from './Primary.js';
import type { Primary } from './Primary.js';

type Connected = (error: Error | null, client?: pg.Client) => void;

/** Fields with the address of a client, which pg's typings omit or make read-only. */
interface Fields {
  host: string;
  port: number;
}

/** A client class for a pool. Each client connects to the primary of that moment. */
export function primaryClient(primary: Primary): typeof pg.Client {
  return class extends pg.Client {
    /** The pool may end the client while the hosts are asked. */
    private isEnding = false;

    override connect(): Promise<pg.Client>;
    override connect(connected: Connected): void;
    override connect(connected?: Connected): Promise<pg.Client> | undefined {
      const connecting = this.connectToPrimary();
      if (connected === undefined) return connecting;
      connecting.then(
        () => connected(null, this),
        (error: Error) => connected(error),
      );
      return undefined;
    }

    override end(): Promise<void>;
    override end(ended: (error: Error) => void): void;
    override end(ended?: (error: Error) => void): Promise<void> | undefined {
      this.isEnding = true;
      if (ended === undefined) return super.end();
      super.end(ended);
      return undefined;
    }

    private async connectToPrimary(): Promise<pg.Client> {
      const url = await primary.find();
      const { hostname, port } = new URL(url);
      const fields = this as unknown as Fields;
      if (this.isEnding) throw new NoPrimary();
      fields.host = hostname.replace(/^\[|\]$/g, '');
      fields.port = Number(port || '5432');
      const state = { isStandby: false };
      hearStandby(this, (isStandby) => (state.isStandby = isStandby));
      try {
        await super.connect();
      } catch (error) {
        primary.forget(url);
        throw error;
      }
      if (!state.isStandby) {
        primary.hold(this, url);
        return this;
      }
      primary.forget(url);
      await this.end();
      throw new NoPrimary();
    }
  };
}
