import { randomBytes } from 'node:crypto';
import { LogicalReplicationService, type Pgoutput, PgoutputPlugin } from 'pg-logical-replication';

/** A row as the log has it: PostgreSQL's text of each value; a long value that did not change is left out. */
export type Tuple = Record<string, string | null | undefined>;

/** One row written by a transaction that is now committed. */
export interface Change {
  table: number;
  /** The id of the transaction, without its epoch. */
  xid: number;
  type: 'INSERT' | 'UPDATE' | 'DELETE';
  /** The time of the commit, in the protocol's format: ISO 8601 with milliseconds. */
  time: string;
  /** The values of an insert or update. */
  row?: Tuple;
  /** The replica identity before an update that changed it or a delete; the whole row when that is `full`. */
  before?: Tuple;
}

export interface Replication {
  /** Settles when every later commit will be received, or when that is impossible. */
  started: Promise<void>;
  stop(): Promise<void>;
}

/**
 * Receives every committed change to the tables of a publication, from the write-ahead log.
 *
 * Its slot lives as long as its connection: a server that has stopped holds back no log and fills no disk. A
 * commit without a connected reader is therefore not received later, so `lost` must make the subscribers read
 * again.
 *
 * @param changed may return a promise, which holds back the log until it settles
 * @param tableChanged a table is seen for the first time, or its definition changed
 */
export function replicate(
  url: string,
  publication: string,
  changed: (change: Change) => Promise<void> | undefined,
  tableChanged: (table: number) => void,
  lost: (error: Error) => void,
): Replication {
  const service = new LogicalReplicationService(
    { connectionString: url, application_name: 'realtime' },
    { acknowledge: { auto: false, timeoutSeconds: 10 }, flowControl: { enabled: true } },
  );
  // A database that is shutting down waits until exactly the bytes it sent are confirmed, and requests this.
  // No change can be read again, so all are confirmed as they come. The library confirms one byte more than
  // it is given.
  service.on('heartbeat', (lsn: string, _time: number, replyRequested: boolean) => {
    if (replyRequested && lsn !== '0/0') service.acknowledge(previousPosition(lsn)).catch(fail);
  });
  const start = Promise.withResolvers<void>();
  let stopped = false;
  const fail = (error: Error) => {
    if (stopped) return;
    stopped = true;
    start.reject(error);
    service.destroy().catch(() => undefined);
    lost(error);
  };

  let [time, xid] = ['', 0];
  service.on('start', () => start.resolve());
  service.on('error', fail);
  service.on('data', async (_lsn, message: Pgoutput.Message) => {
    if (message.tag === 'begin') {
      time = new Date(Number(message.commitTime) / 1000).toISOString();
      xid = message.xid;
    } else if (message.tag === 'relation') tableChanged(message.relationOid);
    else if (message.tag === 'insert')
      await changed({ table: message.relation.relationOid, type: 'INSERT', xid, time, row: message.new });
    else if (message.tag === 'update')
      await changed({
        table: message.relation.relationOid,
        type: 'UPDATE',
        xid,
        time,
        row: message.new,
        before: message.old ?? message.key ?? undefined,
      });
    else if (message.tag === 'delete')
      await changed({
        table: message.relation.relationOid,
        type: 'DELETE',
        xid,
        time,
        before: message.old ?? message.key ?? {},
      });
  });
  service
    .subscribe(
      new TextOutput({ protoVersion: 1, publicationNames: [publication] }),
      `realtime_${randomBytes(8).toString('hex')}`,
    )
    .then(() => fail(new Error('The stream of changes ended.')), fail);

  return {
    started: start.promise,
    async stop() {
      stopped = true;
      start.reject(new Error('stopped'));
      await service.destroy();
    },
  };
}

function previousPosition(lsn: string): string {
  const [high = '0', low = '0'] = lsn.split('/');
  const number = (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`) - 1n;
  return `${(number >> 32n).toString(16)}/${(number & 0xffffffffn).toString(16)}`;
}

class TextOutput extends PgoutputPlugin {
  override parse(buffer: Buffer): Pgoutput.Message {
    const message = super.parse(buffer);
    // PostgreSQL itself turns the text into JSON later on; a JavaScript number would lose digits.
    if (message.tag === 'relation') for (const column of message.columns) column.parser = (text) => text;
    return message;
  }

  override async start(client: Parameters<PgoutputPlugin['start']>[0], slot: string): Promise<unknown> {
    await client.query(`CREATE_REPLICATION_SLOT ${slot} TEMPORARY LOGICAL pgoutput (SNAPSHOT 'nothing')`);
    return super.start(client, slot, '0/0');
  }
}
