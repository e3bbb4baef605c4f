import { afterAll, beforeAll, beforeEach } from 'vitest'
import { type TestApp, testApp } from '../support/app.ts'
import { type Emailing, startEmailing } from '../support/emailing.ts'

/** The application of a file of tests, and a mailbox in it that is new for each test. */
export let app: TestApp
export let mail: Emailing

/** Opens them before the tests of the file that calls it. */
export function openEmailing(): void {
  const now = '2026-03-02T18:00:00.000Z'
  beforeAll(async () => {
    app = await testApp({ now, publicUrl: 'https://gable.example.com' })
  })
  afterAll(() => app[Symbol.asyncDispose]())
  beforeEach(async () => {
    app.clock.advance(3_600_000)
    app.clock.set(now)
    mail = await startEmailing(app)
  })
}
