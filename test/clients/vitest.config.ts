import { defineConfig } from 'vitest/config'

// The real clients, driven by a scripted model. scripts/test-clients.mjs installs them and starts this.
export default defineConfig({
  test: {
    include: ['test/clients/**/*.clients.test.ts'],
    reporters: ['default', './test/closing-line-reporter.ts'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    pool: 'forks',
    maxWorkers: 2,
  },
})
