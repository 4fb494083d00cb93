import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { operations } from '../../src/contract/catalogue.ts';
import { coverage } from './coverage.ts';

const ids = new Set(operations.map(({ id }) => id));
const covered = Object.values(coverage).flat();

describe('the table of tests per operation', () => {
  test.each(Object.keys(coverage))('names the existing test file %s, which calls the sandbox', (file) => {
    expect(existsSync(file)).toBe(true);
    expect(readFileSync(file, 'utf8')).toMatch(/sandbox|openWorld/i);
  });

  test('names each operation of the contract once', () => {
    const unknown = covered.filter((id) => !ids.has(id));
    expect(unknown, 'Remove these from test/conformance/coverage.ts').toEqual([]);
    const twice = covered.filter((id, index) => covered.indexOf(id) !== index);
    expect(twice, 'Keep one of each in test/conformance/coverage.ts').toEqual([]);
  });
});
