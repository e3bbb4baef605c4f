import { configDefaults, defineConfig } from 'vitest/config'

/** Minutes long: they run with the nightly campaign, `npm run nightly`. */
const campaigns =
  process.env['GABLE_FAULT_ROUNDS'] === undefined ? ['server/test/faults/deliveries-*.test.ts'] : []

export default defineConfig({
  test: {
    include: ['server/src/**/*.test.ts', 'server/test/**/*.test.ts', 'docs/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...campaigns],
    globalSetup: ['server/test/support/global-setup.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
})
