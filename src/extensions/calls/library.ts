import { Failure } from '../../base/failure.ts';
import type { Client } from '../../library/client-types.ts';
import { createNotices, runForProgram } from '../../library/for-programs.ts';
import { type ManifestSource, manifestHost, toPlanningInput } from '../../library/manifest-source.ts';
import { clientServices, servicesFor } from '../../library/services.ts';
import type { CaseResult } from './cases/run-case.ts';
import { makeCalls } from './make-calls.ts';

export type { CaseResult, ManifestSource };
export { Failure };

export interface CallTests extends ManifestSource {
  /** Case files and folders of them (default: the folder `calls`). */
  readonly cases?: readonly string[];
  readonly only?: readonly string[];
  /** Client of the account, if no manifest is given. The account is only read. */
  readonly client?: Client;
}

/** The `test` function of Vitest or node:test. A test fails if its function throws. */
export type RegisterTest = (name: string, run: () => void) => unknown;

/**
 * The error of a case whose call ended differently or could not be decided. Test runners show the expected and actual
 * values.
 */
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
 * Simulates the calls of case files, as `telctl test` does. Throws `Failure`: `invalid` for an invalid case or
 * manifest, `usage` if there are no cases.
 */
export async function callResults(options: CallTests): Promise<readonly CaseResult[]> {
  const { cases = [], only = [], client } = options;
  const input = toPlanningInput(options);
  if (client === undefined && input.file.length === 0)
    throw new Failure('usage', 'No account for the calls. Pass files, text or client.');
  // Calls from a manifest send no requests, so the address is never used.
  const services = client ? clientServices(client) : servicesFor({ baseUrl: 'https://localhost', token: '' });
  const context = {
    ...services,
    host: manifestHost(services.host, options),
    notices: createNotices(options),
  };
  const { made } = await runForProgram(() => makeCalls({ ...input, cases, only }, context));
  return made.map(({ result }) => result);
}

/**
 * Registers a test for each case with the `test` function of a test runner: `await testCalls(test, { files:
 * ['office.yaml'] })`.
 */
export async function testCalls(test: RegisterTest, options: CallTests): Promise<void> {
  for (const result of await callResults(options))
    test(result.name, () => {
      if (result.result !== 'pass') throw new CallTestError(result);
    });
}
