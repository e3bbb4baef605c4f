import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{server,sandbox,postgres,e2e,docs}/**/*.test.ts'],
    globalSetup: ['server/test/run/global-setup.ts'],
    setupFiles: ['server/test/run/setup.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    // A file finds loaded what another has imported: a sixth of the time. Tests share no state but that of modules, which keep none
    // that a test could see.
    isolate: false,
  },
})
