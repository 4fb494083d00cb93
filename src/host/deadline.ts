import { builtin } from './builtin.ts';

/** Does work that never waits, and cuts it off after `ms` with an error of code `ERR_SCRIPT_EXECUTION_TIMEOUT`. */
export function withDeadline<T>(work: () => T, ms: number): T {
  let result: { readonly value: T } | undefined;
  const run = (): void => {
    result = { value: work() };
  };
  // The engine stops whatever a script calls, wherever that was written.
  builtin('node:vm').runInNewContext('run()', { run }, { timeout: ms });
  if (!result) throw new Error('the work has no result');
  return result.value;
}
