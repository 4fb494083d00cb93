import type { Reporter, TestCase, TestModule, TestState, Vitest } from 'vitest/node';

/** Slower tests are listed. Most tests take a hundredth of this time. */
const slowMs = 2_000;

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
const minutes = (ms: number): string =>
  `${Math.floor(ms / 60_000)} min ${Math.floor((ms % 60_000) / 1_000)} s`;

/** Prints the slowest tests, the total time, and the number of failures at the end of a run. */
export class SlowTests implements Reporter {
  #vitest: Vitest | undefined;
  #startMs = 0;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
    this.#startMs = performance.now();
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const slow = tests
      .map((test) => ({ test, ms: test.diagnostic()?.duration ?? 0 }))
      .filter(({ ms }) => ms > slowMs)
      .sort((one, other) => other.ms - one.ms);
    const countTests = (state: TestState): number =>
      tests.filter((test) => test.result().state === state).length;
    const lines = [
      ...(slow.length > 0 ? [`Tests that took more than ${seconds(slowMs)}:`] : []),
      ...slow.map(({ test, ms }) => `${seconds(ms).padStart(8)}  ${testLabel(test)}`),
      `All tests took ${minutes(performance.now() - this.#startMs)}.`,
      `${countTests('passed')} passed, ${countTests('failed')} failed`,
    ];
    this.#vitest?.logger.log(lines.join('\n'));
  }
}

const testLabel = ({ module, fullName, project }: TestCase): string =>
  `${project.name} ${module.relativeModuleId}: ${fullName}`;
