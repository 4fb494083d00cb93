import { expect, it } from 'vitest';
import { kinds } from '../../../engine/manifest/kinds.ts';
import { manifests } from './manifests-topic.ts';

it.each(kinds.map(({ name }) => [name] as const))('the manifests help topic names the section %s', (name) => {
  expect(JSON.stringify(manifests)).toMatch(new RegExp(`\\b${name}\\b`));
});
