import { readFileSync } from 'node:fs';

/** Requests (`GROUP.NAME`) with different responses than recorded, and the reason. */
interface Exception {
  readonly why: string;
  readonly requests: readonly string[];
}

// The file is written by people, so its shape is trusted.
const exceptions = JSON.parse(
  readFileSync(new URL('./exceptions.json', import.meta.url), 'utf8'),
) as readonly Exception[];

/** Returns the names of a group's requests with known differences. */
export const exceptionNames = (group: string): ReadonlySet<string> =>
  new Set(
    exceptions
      .flatMap(({ requests }) => requests)
      .filter((request) => request.startsWith(`${group}.`))
      .map((request) => request.slice(group.length + 1)),
  );

/** Returns the exceptions as a page: each reason with its requests. */
export const exceptionsPage = (): string =>
  [
    '# Differences from a real service',
    '',
    'The same requests were sent to a KAZOO service and to a sandbox with `--like kazoo`. Status, headers, keys, types and codes of all other responses are equal. Each reason below lists the requests that it explains. A test fails if a listed response no longer differs.',
    '',
    ...exceptions.flatMap(({ why, requests }) => [
      `- ${why}`,
      `  ${requests.map((request) => `\`${request}\``).join(', ')}`,
    ]),
    '',
  ].join('\n');
