import { readFileSync } from 'node:fs';
import { validate } from 'dockerfile-utils';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { shellWords } from '../../scripts/docs/command-lines.mts';
import { findParseProblem } from '../../scripts/docs/parse.mts';
import { isObject } from '../../src/base/json.ts';

const image = readFileSync('Dockerfile', 'utf8');
const fileNamed = (name: string): string => readFileSync(`integrations/sandbox/${name}`, 'utf8');

function yamlIn(name: string): Readonly<Record<string, unknown>> {
  const [document, ...others] = parseAllDocuments(fileNamed(name));
  expect([others, document?.errors, document?.warnings]).toEqual([[], [], []]);
  const value: unknown = document?.toJS();
  if (!isObject(value)) throw new Error(`${name} is no mapping`);
  return value;
}

/** The instructions of a Dockerfile, those over several lines as one, without comments. */
const instructions = image
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n/g, ' ')
  .split('\n')
  .filter((line) => line.trim() !== '')
  .map((line) => /^([A-Z]+) (.+)$/.exec(line)?.slice(1) ?? [line, '']);
const instruction = (word: string): string => instructions.find(([each]) => each === word)?.[1] ?? '';

/** Holds the words of a telctl line against the commands that there are. */
async function expectLine(words: readonly string[]): Promise<void> {
  expect(await findParseProblem({ words, mentioned: false }), words.join(' ')).toBeUndefined();
}

test('the image description is valid, runs unprivileged, and serves requests', async () => {
  expect(validate(image)).toEqual([]);
  expect(instructions[0]?.[0]).toBe('FROM');
  expect(instruction('USER')).toBe('node');
  expect(JSON.parse(instruction('ENTRYPOINT'))).toEqual(['telctl']);
  const [, check = ''] = /^(?:--\S+ )*CMD (\[.*\])$/.exec(instruction('HEALTHCHECK')) ?? [];
  expect(JSON.parse(check)).toContain('node');
  const words: readonly string[] = JSON.parse(instruction('CMD'));
  await expectLine(words);
  expect(words.slice(0, 2)).toEqual(['sandbox', 'serve']);
  expect(instruction('EXPOSE')).toBe(words[words.indexOf('--port') + 1]);
});

test('the Compose file serves with TLS and reads its keys from files', async () => {
  const { services, secrets } = yamlIn('compose.yaml');
  const sandbox = isObject(services) && isObject(services.sandbox) ? services.sandbox : {};
  const command = Array.isArray(sandbox.command) ? sandbox.command.map(String) : [];
  await expectLine(command);
  const files = command.flatMap((word) => /^--\S+=\/run\/secrets\/(\S+)$/.exec(word)?.[1] ?? []);
  expect(files.toSorted()).toEqual(['api-key', 'control-key', 'tls-cert', 'tls-key']);
  expect(Object.keys(Object(secrets)).toSorted()).toEqual(files.toSorted());
  expect(sandbox.secrets).toEqual(files.toSorted());
  expect(fileNamed('compose.yaml')).not.toMatch(/_KEY:/);
});

test('the CI jobs use existing commands, and the job in the shared sandbox deletes its account', async () => {
  const { jobs } = yamlIn('github-actions.yaml');
  const lines = Object.values(Object(jobs)).map((job) =>
    Object(job).steps.flatMap(({ run }: { readonly run?: string }) =>
      run?.startsWith('telctl ') ? [run] : [],
    ),
  );
  for (const line of lines.flat()) await expectLine(shellWords(line).slice(1));
  const [own, shared] = lines;
  expect(own).toHaveLength(2);
  expect(shared?.at(-1)).toMatch(/^telctl accounts delete "\$JOB_ACCOUNT" --confirm "\$JOB_ACCOUNT"/);
});
