import { defineConfig } from 'vitest/config'

/**
 * The suites besides `quick`, which has every test file that none of these names. docs/tests.md says what runs them;
 * `GABLE_SUITE` chooses one. Without it, a run has the files of all suites whose path contains one of its arguments.
 */
export const suites: Record<string, string[]> = {
  hostile: ['server/test/{contract,architecture}/hostile-*.test.ts'],
  guides: ['docs/guides/*.test.ts', 'docs/introduction/remedies.test.ts'],
  browser: ['e2e/browser/*.test.ts'],
  'mail-servers': ['e2e/mail-servers/*.test.ts'],
  caldav: ['e2e/caldav/*.test.ts'],
  // What takes long to go wrong: processes that are started and killed, races, simulations and planted bugs.
  faults: [
    'e2e/{faults,setup}/*.test.ts',
    'server/test/simulation/*.test.ts',
    'server/**/*-model.test.ts',
    'server/test/automations/{simulation,planted-bugs}.test.ts',
    'server/**/{,*-}races.test.ts',
    'server/src/cli/{cli,listen,tail}.test.ts',
    'postgres/start.test.ts',
    'server/src/modules/people/password.test.ts',
  ],
}

/**
 * What runs once more on another version of PostgreSQL: what may differ there. That is every statement of every module,
 * the schema with its policies and grants, locks, notifications, and jobs.
 */
const sql = [
  'server/src/kernel/{db,events,jobs,background}/*.test.ts',
  'server/src/modules/**/*{search,erasure,ledger,dispatcher,engine,outbox,quer}*.test.ts',
  'server/test/architecture/{catalog,policies,reach,schema,tables}.test.ts',
  'server/test/contract/{event-per-change,filters,paging,reach-policies,reach,references,tenancy}.test.ts',
  'server/test/messages/{dispatcher,pace}.test.ts',
]

const all = ['{server,sandbox,postgres,sdk,e2e,docs}/**/*.test.ts']
const suite = process.env['GABLE_SUITE'] ?? 'all'
const included = { ...suites, sql }[suite] ?? all

export default defineConfig({
  test: {
    include: included,
    exclude: suite === 'quick' ? Object.values(suites).flat() : [],
    globalSetup: ['server/test/run/global-setup.ts'],
    setupFiles: ['server/test/run/setup.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    // A file finds loaded what another has imported: a sixth of the time. Tests share no state but that of modules, which keep none
    // that a test could see.
    isolate: false,
    // Node loads the files itself, untransformed, as in production.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // In another order each time. The run prints its seed; --maxWorkers=1 --sequence.seed=N repeats the order.
    sequence: { shuffle: { files: true } },
  },
})
