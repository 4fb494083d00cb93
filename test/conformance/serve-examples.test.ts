import { readFileSync } from 'node:fs';
import { validate } from 'dockerfile-utils';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { shellWords } from '../../scripts/docs/command-lines.mts';
import { findParseProblem } from '../../scripts/docs/parse.mts';
import { isObject } from '../../src/base/json.ts';

const image = readFileSync('Dockerfile', 'utf8');
const readExample = (name: string): string => readFileSync(`integrations/sandbox/${name}`, 'utf8');

function readYaml(name: string): Readonly<Record<string, unknown>> {
  const [document, ...others] = parseAllDocuments(readExample(name));
  expect([others, document?.errors, document?.warnings]).toEqual([[], [], []]);
  const value: unknown = document?.toJS();
  if (!isObject(value)) throw new Error(`${name} is not a mapping`);
  return value;
}

/** The instructions of a Dockerfile without comments. Continued lines are joined. */
const instructions = image
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n/g, ' ')
  .split('\n')
  .filter((line) => line.trim() !== '')
  .map((line) => /^([A-Z]+) (.+)$/.exec(line)?.slice(1) ?? [line, '']);
const findInstruction = (word: string): string => instructions.find(([each]) => each === word)?.[1] ?? '';

/** Expects that a telctl line is a valid command line. */
async function expectValidLine(words: readonly string[]): Promise<void> {
  expect(await findParseProblem({ words, mentioned: false }), words.join(' ')).toBeUndefined();
}

test('the image description is valid, runs unprivileged, and serves requests', async () => {
  expect(validate(image)).toEqual([]);
  expect(instructions[0]?.[0]).toBe('FROM');
  expect(findInstruction('USER')).toBe('node');
  expect(JSON.parse(findInstruction('ENTRYPOINT'))).toEqual(['telctl']);
  const [, check = ''] = /^(?:--\S+ )*CMD (\[.*\])$/.exec(findInstruction('HEALTHCHECK')) ?? [];
  expect(JSON.parse(check)).toContain('node');
  const words: readonly string[] = JSON.parse(findInstruction('CMD'));
  await expectValidLine(words);
  expect(words.slice(0, 2)).toEqual(['sandbox', 'serve']);
  expect(findInstruction('EXPOSE')).toBe(words[words.indexOf('--port') + 1]);
});

test('the Compose file serves with TLS and reads its keys from files', async () => {
  const { services, secrets } = readYaml('compose.yaml');
  const sandbox = isObject(services) && isObject(services.sandbox) ? services.sandbox : {};
  const command = Array.isArray(sandbox.command) ? sandbox.command.map(String) : [];
  await expectValidLine(command);
  const files = command.flatMap((word) => /^--\S+=\/run\/secrets\/(\S+)$/.exec(word)?.[1] ?? []);
  expect(files.toSorted()).toEqual(['api-key', 'control-key', 'tls-cert', 'tls-key']);
  expect(Object.keys(Object(secrets)).toSorted()).toEqual(files.toSorted());
  expect(sandbox.secrets).toEqual(files.toSorted());
  expect(readExample('compose.yaml')).not.toMatch(/_KEY:/);
});

test('the CI jobs use existing commands, and the job in the shared sandbox deletes its account', async () => {
  const { jobs } = readYaml('github-actions.yaml');
  const lines = Object.values(Object(jobs)).map((job) =>
    Object(job).steps.flatMap(({ run }: { readonly run?: string }) =>
      run?.startsWith('telctl ') ? [run] : [],
    ),
  );
  for (const line of lines.flat()) await expectValidLine(shellWords(line).slice(1));
  const [own, shared] = lines;
  expect(own).toHaveLength(2);
  expect(shared?.at(-1)).toMatch(/^telctl accounts delete "\$JOB_ACCOUNT" --confirm "\$JOB_ACCOUNT"/);
});
