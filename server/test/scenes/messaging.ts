import { afterAll, beforeAll, beforeEach } from 'vitest'
import { type TestApp, testApp } from '../support/app.ts'
import { asOwner } from '../support/database.ts'
import { type Emailing, startEmailing } from '../support/emailing.ts'
import { type Texting, startTexting } from '../support/texting.ts'

/** The application of a file of tests, and a mailbox or a number in it that is new for each test. */
export let app: TestApp
export let mail: Emailing
export let texting: Texting

const now = '2026-03-02T18:00:00.000Z'

function open(start: () => Promise<unknown>, options: Parameters<typeof testApp>[0] = {}): void {
  beforeAll(async () => {
    app = await testApp({ now, publicUrl: 'https://gable.example.com', ...options })
  })
  afterAll(() => app[Symbol.asyncDispose]())
  beforeEach(async () => {
    app.clock.advance(3_600_000)
    app.clock.set(now)
    await start()
  })
}

/** Opens them before the tests of the file that calls it. */
export const openEmailing = (): void => open(async () => (mail = await startEmailing(app)))
export const openTexting = (options?: Parameters<typeof testApp>[0]): void =>
  open(async () => (texting = await startTexting(app)), options)

/** Who must not be contacted by the workspace of a number, in the order in which they were added. */
export const suppressions = ({ workspace } = texting) =>
  asOwner<{ kind: string; channels: string[]; source: string; lifted: boolean }>(
    app.databaseUrl,
    `select kind, channels, source, lifted_at is not null as lifted from suppressions where workspace_id = $1 order by id`,
    [workspace.id],
  )
