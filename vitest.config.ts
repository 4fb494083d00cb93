import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    testTimeout: 20_000,
    hookTimeout: 30_000,
    // The sandbox's database module is still marked experimental in Node 24; its warning is no test output.
    execArgv: ['--disable-warning=ExperimentalWarning'],
    env: { NO_COLOR: '1' },
    projects: [
      {
        extends: true,
        test: {
          name: 'telctl',
          include: ['src/**/*.test.ts', 'test/{conformance,drills,recordings,scenarios,smoke}/**/*.test.ts'],
        },
      },
      // Needs a browser on the machine, which `npm test` does not.
      { extends: true, test: { name: 'browser', include: ['test/browser/**/*.test.ts'] } },
    ],
  },
});
