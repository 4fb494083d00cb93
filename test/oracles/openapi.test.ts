import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openApiValidator } from '../support/outside-libraries.ts';
import { root } from '../support/process.ts';
import { openWorld } from '../support/world.ts';

const validateDocument = async (text: string): Promise<unknown> => {
  const { valid, errors } = await new openApiValidator.Validator().validate(JSON.parse(text));
  return valid ? [] : errors;
};

test('schemas/sandbox-openapi.json is an OpenAPI document for a third validator', async () => {
  expect(await validateDocument(readFileSync(join(root, 'schemas', 'sandbox-openapi.json'), 'utf8'))).toEqual(
    [],
  );
});

test('telctl openapi prints an OpenAPI document, and the validator notices a wrong one', async () => {
  const world = await openWorld({ signIn: 'none' });
  const run = await world.telctl('openapi');
  expect(run.code, run.stderr).toBe(0);
  expect(await validateDocument(run.stdout)).toEqual([]);
  const wrong = {
    openapi: '3.1.0',
    info: { title: 'x', version: '1' },
    paths: { '/about': { get: { responses: { 999: 'no' } } } },
  };
  expect(await validateDocument(JSON.stringify(wrong))).not.toEqual([]);
});
