import { defineConfig } from 'vitest/config'

import { sourceConditions } from '../../vitest.config.ts'

// The real clients, driven by a scripted model. scripts/with-clients.mjs installs them and starts this.
export default defineConfig({
  ssr: { resolve: { conditions: sourceConditions } },
  test: {
    include: ['test/clients/**/*.clients.test.ts', 'packages/*/oracle/**/*.clients.test.ts'],
    reporters: ['default', './test/closing-line-reporter.ts'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    pool: 'forks',
    maxWorkers: 2,
  },
})
