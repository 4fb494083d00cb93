import { Failure } from '../../base/failure.ts';
import type { Json } from '../../base/json.ts';
import { neutralise } from '../../base/neutralise.ts';
import { formatCount } from '../../base/wording.ts';
import type { ApiParts } from '../../client/api/api.ts';
import { type SensitiveField, sensitiveFields } from '../../contract/sensitive-fields.ts';

/** Asks the user of an assistant a question. Resolves to true if the user agrees. */
export type AskPerson = (question: string) => Promise<boolean>;

const mostLines = 40;
const longestLine = 200;

/** Formats a question for the user without control characters. Limits its length and counts omitted lines. */
export function approvalQuestion(lines: readonly string[], question: string): string {
  const shown = lines.slice(0, mostLines).map(truncateLine);
  const more = lines.length - shown.length;
  const rest = more === 0 ? [] : [`… and ${formatCount(more, 'more line')}. Run the command to see them.`];
  return [...shown, ...rest, truncateLine(question)].join('\n');
}

const truncateLine = (line: string): string => {
  const text = neutralise(line);
  return text.length > longestLine ? `${text.slice(0, longestLine - 1)}…` : text;
};

/**
 * Creates the check that asks the user about sensitive fields in an assistant's requests. These fields send data out
 * of the account or affect sign-in (`x-outward` and `x-sign-in` of `telctl schema`). Asks once per call about equal
 * values. Throws `Failure` (`refused`) if the client cannot ask or the user declines.
 */
export function createApprovalCheck(ask: AskPerson | undefined): NonNullable<ApiParts['approve']> {
  const agreed = new Set<string>();
  return async ({ operation, data }) => {
    const fields = sensitiveFields(operation, data);
    const key = JSON.stringify([operation.id, ...fields]);
    if (fields.length === 0 || agreed.has(key)) return;
    const names = [...new Set(fields.map(({ path }) => path))].join(', ');
    if (ask === undefined)
      throw new Failure(
        'refused',
        `Assistants cannot set ${names} without the user's consent, because it sends data out of the account, affects sign-in or stops calls. No request was sent.`,
        {
          hint: 'Ask the user to run it on the command line, or to use a client that supports questions (elicitation).',
        },
      );
    const question = `Allow the assistant to send this (${operation.summary})?`;
    if (!(await ask(approvalQuestion(fields.map(lineOfField), question))))
      throw new Failure('refused', `The user declined to set ${names}. No request was sent.`);
    agreed.add(key);
  };
}

const lineOfField = ({ path, value }: SensitiveField): string => `${path}: ${textOfValue(value)}`;

const textOfValue = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));
