import { defaultServerConditions } from 'vite'
import { defineConfig } from 'vitest/config'

/** Tests run the sources of the packages, not what was built from them. */
export const sourceConditions = ['contextd-source', ...defaultServerConditions]

// Unit tests stand beside the code and share a process per core; tests that start real processes, servers and
// sandboxes end in `.int.test.ts` and each file gets a process of its own. Processes and not threads, because threads
// share what some tests count and change: open files, memory, signals.
export default defineConfig({
  ssr: { resolve: { conditions: sourceConditions } },
  test: {
    reporters: ['dot', './test/closing-line-reporter.ts'],
    // Ends what hangs; says nothing about speed, which a busy machine must not turn into a failure.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 150_000 } },
    pool: 'forks',
    // On two cores the default is one worker, and the other core would wait.
    maxWorkers: '100%',
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{src,packages,test,benchmarks}/**/*.test.ts'],
          exclude: ['**/node_modules/**', '**/*.int.test.ts', '**/*.clients.test.ts'],
          isolate: false,
          setupFiles: ['test/same-examples.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['{src,packages,test}/**/*.int.test.ts'],
          exclude: ['**/node_modules/**'],
        },
      },
    ],
  },
})
