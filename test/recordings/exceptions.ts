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
    '# Where `--like kazoo` answers otherwise',
    '',
    'Requests were sent to a service in the field and to the sandbox, and the replies compared: status, headers, keys at all levels, types and codes. These differ, each with its reason; all others are equal. A test sends them all again and fails where one of these differs no more.',
    '',
    ...exceptions.flatMap(({ why, requests }) => [
      `- ${why}`,
      `  ${requests.map((request) => `\`${request}\``).join(', ')}`,
    ]),
    '',
  ].join('\n');
