import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { shellWords } from '../../scripts/docs/command-lines.mts';
import { findParseProblem } from '../../scripts/docs/parse.mts';

/** Pipelines to copy. test/smoke/integrations.test.ts tests the action and the component. */
const workflows = ['github/workflow.yaml', 'gitlab/pipeline.yaml'].map((path) =>
  readFileSync(`integrations/${path}`, 'utf8'),
);

/** Returns every string in a value, at any depth. */
function collectStrings(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(collectStrings) : [];
}

/** Returns the telctl lines of a job's script, including those after a pipe. */
const telctlLines = (script: string): readonly string[] =>
  script.split('\n').flatMap((line) => /(?:^|\| )\s*(telctl .*)$/.exec(line.trim())?.[1] ?? []);

test('both pipelines are valid YAML without warnings', () => {
  for (const workflow of workflows) {
    const documents = parseAllDocuments(workflow);
    expect(documents).toHaveLength(1);
    expect(documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([]);
  }
});

test('both pipelines validate, plan with a read-only profile, and apply that plan', async () => {
  for (const workflow of workflows) {
    const lines = parseAllDocuments(workflow)
      .flatMap((document) => collectStrings(document.toJS()))
      .flatMap(telctlLines);
    expect(lines.map((line) => shellWords(line)[1])).toEqual([
      'validate',
      'login',
      'profiles',
      'plan',
      'apply',
    ]);
    for (const line of lines) {
      const words = shellWords(line).slice(1);
      expect(await findParseProblem({ words, mentioned: false }), line).toBeUndefined();
    }
    const planned = /--out (\S+)/.exec(lines[3] ?? '')?.[1];
    expect(lines[4]).toContain(`apply ${planned} `);
    expect(lines[2]).toContain('--protect read-only');
    expect(lines[3]).toContain('--profile plan');
  }
});
