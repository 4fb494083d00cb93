import { Failure } from '../../base/failure.ts';
import type { Client } from '../../library/client-types.ts';
import { noticesTo, telling } from '../../library/for-programs.ts';
import { inputOf, type ManifestSource, machineFor } from '../../library/manifest-source.ts';
import { servicesFor, servicesOf } from '../../library/services.ts';
import type { CaseResult } from './cases/run-case.ts';
import { makeCalls } from './make-calls.ts';

export type { CaseResult, ManifestSource };
export { Failure };

/** Case files, and where their calls are made: in a manifest, without a service, or in the account of a client. */
export interface CallTests extends ManifestSource {
  /** Case files, and folders of them; the folder `calls` where left out. */
  readonly cases?: readonly string[];
  /** Names of the only cases that are meant. */
  readonly only?: readonly string[];
  /** Client of the account that calls are made in where no manifest is given; it is only read. */
  readonly client?: Client;
}

/** The `test` of Vitest or node:test: takes a name, and what throws where the test fails. */
export type RegisterTest = (name: string, run: () => void) => unknown;

/** A case whose call went elsewhere, or cannot be decided. Runners show what was expected beside what came. */
export class CallTestError extends Error {
  readonly expected: string;
  readonly actual: string;
  readonly result: CaseResult;

  constructor(result: CaseResult) {
    super(`${result.why} (${result.file}${result.line === null ? '' : `:${result.line}`})`);
    this.name = 'CallTestError';
    this.expected = result.expected;
    this.actual = result.got;
    this.result = result;
  }
}

/**
 * Makes the calls of case files, as `telctl test` does. Throws `Failure`: `invalid` where a case or a manifest cannot be
 * read, `usage` where there is none.
 */
export async function callResults(options: CallTests): Promise<readonly CaseResult[]> {
  const { cases = [], only = [], client } = options;
  const input = inputOf(options);
  if (client === undefined && input.file.length === 0)
    throw new Failure('usage', 'Calls are made in a manifest or in an account: give files, text or client.');
  // Calls in a manifest speak to no service.
  const services = client ? servicesOf(client) : servicesFor({ baseUrl: 'https://localhost', token: '' });
  const context = { ...services, host: machineFor(services.host, options), notices: noticesTo(options) };
  const { made } = await telling(() => makeCalls({ ...input, cases, only }, context));
  return made.map(({ result }) => result);
}

/** Registers a test for each case: `await testCalls(test, { files: ['office.yaml'] })`, with the `test` of the runner. */
export async function testCalls(test: RegisterTest, options: CallTests): Promise<void> {
  for (const result of await callResults(options))
    test(result.name, () => {
      if (result.result !== 'pass') throw new CallTestError(result);
    });
}
