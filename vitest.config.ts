import { defineConfig } from 'vitest/config'

// Unit tests stand beside the code and share one process; tests that start real processes, servers and
// sandboxes end in `.int.test.ts` and each file gets a process of its own.
export default defineConfig({
  test: {
    reporters: ['dot', './test/closing-line-reporter.ts'],
    // Ends what hangs; says nothing about speed, which a busy machine must not turn into a failure.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'benchmarks/**/*.test.ts'],
          exclude: ['**/*.int.test.ts', '**/*.clients.test.ts'],
          pool: 'threads',
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['src/**/*.int.test.ts', 'test/**/*.int.test.ts'],
          pool: 'forks',
        },
      },
    ],
  },
})
