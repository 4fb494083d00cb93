import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { rollBack } from './sqlite-copy.ts';

test.each([
  ['that failed', 1000],
  ['that the database took back by itself, since the disk is full', 10],
])('a transaction %s is rolled back', (_, pages) => {
  const database = new DatabaseSync(':memory:');
  database.exec(`CREATE TABLE texts (text TEXT); PRAGMA max_page_count = ${pages}; BEGIN IMMEDIATE`);
  const keep = database.prepare('INSERT INTO texts (text) VALUES (?)');
  const fill = (): void => {
    for (let row = 0; row < 20; row += 1) keep.run('x'.repeat(4000));
    throw new Error('failed');
  };
  expect(fill).toThrow(pages < 20 ? 'database or disk is full' : 'failed');
  expect(database.isTransaction).toBe(pages > 20);
  rollBack(database);
  expect(database.prepare('SELECT count(*) AS count FROM texts').get()).toEqual({ count: 0 });
  database.close();
});
