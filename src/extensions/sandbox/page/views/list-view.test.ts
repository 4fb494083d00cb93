import { expect, test } from 'vitest';
import { messages } from '../../../../contract/resources/vmboxes.ts';
import { showTable } from './list-view.ts';
import { fieldsOf } from './records.ts';

test('formats durations in two units', () => {
  const body = { caller_id_name: 'Alice', length: 10_000, folder: 'new' };
  const rows = showTable({ resource: messages, records: [{ id: 'a'.repeat(32), body }] }).text;
  expect(rows).toContain('10 s');
  expect(rows).not.toContain('10000');
  expect(fieldsOf(messages, { body }, new Map(), 'b'.repeat(32)).text).toContain('10 s');
});
