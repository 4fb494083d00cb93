import { Failure } from '../../../base/failure.ts';
import type { Json, JsonObject } from '../../../base/json.ts';
import { keys } from '../../../contract/resources/keys.ts';
import { type Command, defineCommand } from '../../command/command.ts';
import { callCommand } from '../call-command.ts';
import { operationFor } from '../generic/find-named.ts';

/** Ids as records; the service gives an array of texts. */
function idsIn(data: Json): readonly JsonObject[] {
  if (Array.isArray(data)) return data.map((id) => ({ id: String(id) }));
  throw new Failure('failed', 'The service answered with something that is not a list of keys.');
}

export const keyArguments = { id: { name: 'ID', doc: 'Its id' } } as const;
export const keyOptions = {
  pem: { flag: 'pem', doc: 'The public key as a PEM file, byte for byte', excludes: ['jwk'] },
  jwk: { flag: 'jwk', doc: 'The public key as a JSON Web Key' },
} as const;
export const resetOptions = {
  confirm: { flag: 'confirm', value: 'HOST', doc: 'Answers the question: the host of the service' },
} as const;

const list = callCommand({
  path: ['keys', 'list'],
  summary: 'List the ids of the keys that sign tokens',
  operation: operationFor(keys, 'list'),
  examples: [{ line: 'telctl keys list', doc: 'All key ids' }],
  gives: { resource: 'keys', noun: 'keys', rows: idsIn },
});

const get = defineCommand({
  path: ['keys', 'get'],
  summary: 'Show a public key and its fingerprint',
  arguments: keyArguments,
  options: keyOptions,
  effect: 'read',
  examples: [
    { line: 'telctl keys get ID --pem', doc: 'For a program that checks tokens' },
    { line: 'telctl keys get ID --jwk', doc: 'The same for one that wants a JSON Web Key' },
  ],
  operations: ['keys.get'],
  load: async () => (await import('./keys.ts')).getKey,
});

const reset = defineCommand({
  path: ['keys', 'reset'],
  summary: 'Replace the private key; ends all tokens of the service',
  description:
    'For the super administrator. The id of the key stays. The host of the service must be typed, or given with --confirm; --yes does not answer.',
  arguments: keyArguments,
  options: resetOptions,
  effect: 'destructive',
  examples: [{ line: 'telctl keys reset ID --confirm api.example', doc: 'Sign everybody out' }],
  operations: ['keys.reset', 'keys.get'],
  load: async () => (await import('./keys.ts')).resetKey,
});

export const keysCommands: readonly Command[] = [list, get, reset];
