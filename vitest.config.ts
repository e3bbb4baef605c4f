import { defineConfig } from 'vitest/config'

/**
 * The suites besides `quick`, which has every test file that none of these names. docs/tests.md says what runs them;
 * `GABLE_SUITE` chooses one. Without it, a run has the files of all suites whose path contains one of its arguments.
 */
export const suites: Record<string, string[]> = {
  hostile: ['server/test/contract/hostile-*.test.ts'],
  guides: ['docs/guides/*.test.ts'],
  browser: ['server/test/browser/*.test.ts'],
  'mail-servers': ['server/test/mail-servers/*.test.ts'],
  caldav: ['server/test/caldav/*.test.ts'],
  // What takes long to go wrong: processes that are started and killed, races, simulations and planted bugs.
  faults: [
    'server/test/faults/*.test.ts',
    'server/test/simulation/*.test.ts',
    'server/test/automations/{simulation,planted-bugs}.test.ts',
    'server/**/{,*-}races.test.ts',
    'server/src/cli/{cli,listen}.test.ts',
    'server/src/embedded-postgres/start.test.ts',
    'server/src/modules/people/password.test.ts',
    'server/test/mail/process.test.ts',
  ],
}

const all = ['server/**/*.test.ts', 'docs/**/*.test.ts']
const suite = process.env['GABLE_SUITE'] ?? 'all'

export default defineConfig({
  test: {
    include: suites[suite] ?? all,
    exclude: suite === 'quick' ? Object.values(suites).flat() : [],
    globalSetup: ['server/test/run/global-setup.ts'],
    setupFiles: ['server/test/run/setup.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    // A file finds loaded what another has imported: a sixth of the time. Tests share no state but that of modules, which keep none
    // that a test could see.
    isolate: false,
    // In another order each time. The run prints its seed; --maxWorkers=1 --sequence.seed=N repeats the order.
    sequence: { shuffle: { files: true } },
  },
})
