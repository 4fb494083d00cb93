import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import type { JsonObject } from '../../../base/json.ts';
import type {
  AttemptQuery,
  LoggedAttempt,
  QueueChange,
  QueuedDelivery,
  QueuedEvent,
  QueueName,
  QueueReads,
} from './queue.ts';

export const queueTables = `
CREATE TABLE IF NOT EXISTS deliveries (
  sequence INTEGER PRIMARY KEY,
  webhook TEXT NOT NULL, account TEXT NOT NULL, event TEXT NOT NULL, hook TEXT NOT NULL,
  due INTEGER NOT NULL, tries INTEGER NOT NULL DEFAULT 0, payload TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS deliveries_in_order ON deliveries (webhook, due, sequence);
CREATE TABLE IF NOT EXISTS attempts (
  sequence INTEGER PRIMARY KEY,
  webhook TEXT NOT NULL, account TEXT NOT NULL, timestamp INTEGER NOT NULL, body TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS attempts_by_webhook ON attempts (webhook, sequence);
`;

/** Number of attempts kept for each webhook, and number of additional attempts before a cleanup. */
const keptAttempts = 1000;
const spareAttempts = 200;

/** Value of the column `webhook` for events. */
const noWebhook = '';

const queueNamed = (webhook: string): QueueName =>
  webhook === noWebhook ? { kind: 'events' } : { kind: 'webhook', webhookId: webhook };

/** A row of a table. The columns are strict, so their types are known. */
export type TableRow = Record<string, SQLOutputValue>;
export const columnText = (row: TableRow, column: string): string => row[column] as string;
export const columnNumber = (row: TableRow, column: string): number => row[column] as number;
export const columnObject = (row: TableRow, column: string): JsonObject =>
  JSON.parse(columnText(row, column)) as JsonObject;

const queuedFields = (row: TableRow) => ({
  sequence: columnNumber(row, 'sequence'),
  accountId: columnText(row, 'account'),
  eventId: columnText(row, 'event'),
  hook: columnText(row, 'hook'),
  dueMs: columnNumber(row, 'due'),
  tries: columnNumber(row, 'tries'),
  payload: columnObject(row, 'payload'),
});

/** The queues of events and deliveries, and the log of attempts. */
export class SqliteQueue implements QueueReads {
  protected readonly database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #logged = new Map<string, number>();
  // The last serialized payload, so that an event for many webhooks is serialized once.
  #lastPayload: { readonly payload: JsonObject; readonly text: string } | undefined;

  constructor(database: DatabaseSync) {
    this.database = database;
  }

  protected statement(text: string): StatementSync {
    const known = this.#statements.get(text);
    if (known) return known;
    const made = this.database.prepare(text);
    this.#statements.set(text, made);
    return made;
  }

  protected applyToQueue(change: QueueChange): void {
    switch (change.change) {
      case 'queue': {
        const { entry } = change;
        const { accountId, eventId, hook, dueMs, payload } = entry;
        const webhook = entry.kind === 'event' ? noWebhook : entry.webhookId;
        this.#run(
          'INSERT INTO deliveries (webhook, account, event, hook, due, payload) VALUES (?, ?, ?, ?, ?, ?)',
          ...[webhook, accountId, eventId, hook, dueMs, this.#payloadText(payload)],
        );
        return;
      }
      case 'postpone':
        this.#run(
          'UPDATE deliveries SET due = ?, tries = ? WHERE sequence = ? AND event = ?',
          ...[change.dueMs, change.tries, change.delivery.sequence, change.delivery.eventId],
        );
        return;
      case 'unqueue':
        this.#run(
          'DELETE FROM deliveries WHERE sequence = ? AND event = ?',
          ...[change.entry.sequence, change.entry.eventId],
        );
        return;
      case 'unqueue-event':
        this.#run(
          'DELETE FROM deliveries WHERE webhook = ? AND due = ? AND event = ?',
          ...[noWebhook, change.dueMs, change.eventId],
        );
        return;
      case 'unqueue-all':
        this.#run('DELETE FROM deliveries WHERE webhook = ?', change.webhookId);
        return;
      case 'forget-account':
        this.#run('DELETE FROM deliveries WHERE account = ?', change.accountId);
        this.#run('DELETE FROM attempts WHERE account = ?', change.accountId);
        return;
      case 'attempt': {
        const { webhookId, accountId, timestamp, body } = change.attempt;
        this.#run(
          'INSERT INTO attempts (webhook, account, timestamp, body) VALUES (?, ?, ?, ?)',
          ...[webhookId, accountId, timestamp, JSON.stringify(body)],
        );
        this.#trimAttempts(webhookId);
      }
    }
  }

  async queueHeads() {
    // Skips from queue to queue in the index, so the number of deliveries does not matter.
    return this.statement(
      `WITH RECURSIVE each (webhook) AS (
         SELECT min(webhook) FROM deliveries
         UNION ALL
         SELECT (SELECT min(webhook) FROM deliveries WHERE webhook > each.webhook) FROM each WHERE webhook IS NOT NULL
       )
       SELECT webhook, (SELECT min(due) FROM deliveries AS d WHERE d.webhook = each.webhook) AS due
       FROM each WHERE webhook IS NOT NULL`,
    )
      .all()
      .map((row) => ({ queue: queueNamed(columnText(row, 'webhook')), dueMs: columnNumber(row, 'due') }));
  }

  async countQueued() {
    const row = this.statement(
      'SELECT count(*) AS every, count(*) FILTER (WHERE webhook = ?) AS events FROM deliveries',
    ).get(noWebhook);
    const [every, events] =
      row === undefined ? [0, 0] : [columnNumber(row, 'every'), columnNumber(row, 'events')];
    return { deliveries: every - events, events };
  }

  async nextDue(queue: QueueName): Promise<number | undefined> {
    const row = this.statement(
      'SELECT due FROM deliveries WHERE webhook = ? ORDER BY due, sequence LIMIT 1',
    ).get(queue.kind === 'events' ? noWebhook : queue.webhookId);
    return row && columnNumber(row, 'due');
  }

  async dueEvents(byMs: number, limit: number): Promise<readonly QueuedEvent[]> {
    return this.#dueRows(noWebhook, byMs, limit).map((row) => ({ kind: 'event', ...queuedFields(row) }));
  }

  async dueDeliveries(webhookId: string, byMs: number, limit: number): Promise<readonly QueuedDelivery[]> {
    return this.#dueRows(webhookId, byMs, limit).map((row) => ({
      kind: 'delivery',
      webhookId,
      ...queuedFields(row),
    }));
  }

  #dueRows(webhook: string, byMs: number, limit: number): readonly TableRow[] {
    return this.statement(
      'SELECT * FROM deliveries WHERE webhook = ? AND due <= ? ORDER BY due, sequence LIMIT ?',
    ).all(webhook, byMs, limit);
  }

  async listAttempts({
    accountId,
    webhookId,
    from,
    between,
    limit,
  }: AttemptQuery): Promise<readonly LoggedAttempt[]> {
    const values: SQLInputValue[] = [accountId, between.from, between.to];
    if (webhookId !== undefined) values.push(webhookId);
    if (from !== undefined) values.push(from);
    const ofWebhook = webhookId === undefined ? '' : 'AND webhook = ?';
    const start = from === undefined ? '' : 'AND sequence <= ?';
    return this.statement(
      `SELECT * FROM attempts WHERE account = ? AND timestamp >= ? AND timestamp <= ? ${ofWebhook} ${start} ORDER BY sequence DESC LIMIT ?`,
    )
      .all(...values, limit)
      .map((row) => ({
        sequence: columnNumber(row, 'sequence'),
        webhookId: columnText(row, 'webhook'),
        accountId,
        timestamp: columnNumber(row, 'timestamp'),
        body: columnObject(row, 'body'),
      }));
  }

  #payloadText(payload: JsonObject): string {
    if (this.#lastPayload?.payload !== payload)
      this.#lastPayload = { payload, text: JSON.stringify(payload) };
    return this.#lastPayload.text;
  }

  /** Deletes old attempts from time to time. */
  #trimAttempts(webhookId: string): void {
    const logged = (this.#logged.get(webhookId) ?? 0) + 1;
    this.#logged.set(webhookId, logged % spareAttempts);
    if (logged < spareAttempts) return;
    this.#run(
      `DELETE FROM attempts WHERE webhook = ? AND sequence <= (
         SELECT sequence FROM attempts WHERE webhook = ? ORDER BY sequence DESC LIMIT 1 OFFSET ${keptAttempts}
       )`,
      ...[webhookId, webhookId],
    );
  }

  #run(text: string, ...values: SQLInputValue[]): void {
    this.statement(text).run(...values);
  }
}
