import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 20_000,
    hookTimeout: 30_000,
    // The sandbox's database module is still marked experimental in Node 24; its warning is no test output.
    execArgv: ['--disable-warning=ExperimentalWarning'],
    env: { NO_COLOR: '1' },
  },
});
