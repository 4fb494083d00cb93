import { readFileSync } from 'node:fs';

/** Requests whose replies are not as recorded, with the reason; each is `GROUP.NAME`. */
interface Exception {
  readonly why: string;
  readonly requests: readonly string[];
}

// The one parse of a file that people write.
const exceptions = JSON.parse(
  readFileSync(new URL('./exceptions.json', import.meta.url), 'utf8'),
) as readonly Exception[];

/** Names of a group's requests whose replies are known not to be as recorded. */
export const exceptionsOf = (group: string): ReadonlySet<string> =>
  new Set(
    exceptions
      .flatMap(({ requests }) => requests)
      .filter((request) => request.startsWith(`${group}.`))
      .map((request) => request.slice(group.length + 1)),
  );

/** The exceptions as a page: each reason, with the requests that it is for. */
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
