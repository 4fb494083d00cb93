import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';
import { SlowTests } from './test/support/slow-tests.ts';

/**
 * Tables of commands and operations that hold for every service, run against the sandbox in each mode that it has. What
 * does not depend on the service (`charges`, `completed-writes`, `names`, `account-option`, `safety`), runs once.
 */
const tables = ['effects', 'envelopes', 'filters', 'isolation', 'documented-lines', 'operations'];

/**
 * Common tasks on KAZOO: manifests, exports, imports, webhooks, numbers, ports. Worlds of these
 * scenarios open in the mode. The others name their mode, do not speak to a service, or hold what such services do not
 * have: charges by item with acceptance in `data` (`charges` is about services in the field itself), webhooks of the own
 * machine, an unlimited number of sign-ins, one key by POST.
 */
const inTheField = [
  'src/cli/commands/{numbers/numbers,ports/ports,manifest/apply/undo,manifest/export/export}',
  'test/field-ui/field-ui',
  'test/scenarios/*/{apply,interpolated-records,prune-guards,undo-guards,users-import,webhook-findings}',
];

/** The project in which the tables, and what is about this mode alone, run against a sandbox in that mode. */
const inMode = (like: string, own: readonly string[]) => ({
  extends: true as const,
  test: {
    name: `like-${like}`,
    env: { SERVICE_LIKE: like },
    include: [...tables.map((name) => `test/conformance/${name}`), ...own].map((path) => `${path}.test.ts`),
  },
});

export default defineConfig({
  test: {
    // One more than there are cores: a worker that waits for a process, or for a lease, would leave its core idle.
    maxWorkers: availableParallelism() + 1,
    reporters: ['default', new SlowTests()],
    globalSetup: 'test/support/tests-folder.ts',
    setupFiles: 'src/extensions.ts',
    sequence: { sequencer: LongestFirst },
    // Files share the modules of their worker: loading them anew for each took half of the time of most. What a test
    // changes outside of its own world (variables, spies, signals) it takes back.
    isolate: false,
    // A test takes ten times its usual time on a busy machine. These are the only limits, and only a test that hangs meets them.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    execArgv: [
      // The sandbox's database module is still marked experimental in Node 24; its warning is no test output.
      '--disable-warning=ExperimentalWarning',
      // V8 keeps its young generation at a megabyte, which is collected a thousand times in a minute.
      '--min-semi-space-size=16',
    ],
    env: { NO_COLOR: '1' },
    projects: [
      {
        extends: true,
        test: {
          name: 'telctl',
          include: [
            'src/**/*.test.ts',
            'test/{conformance,drills,field-ui,oracles,recordings,scenarios,smoke}/**/*.test.ts',
          ],
          exclude: ['test/conformance/documented-only.test.ts'],
        },
      },
      inMode('kazoo', inTheField),
      inMode('specification', ['test/conformance/documented-only']),
      // Needs a browser on the machine, which `npm test` does not.
      { extends: true, test: { name: 'browser', include: ['test/browser/**/*.test.ts'] } },
    ],
  },
});
