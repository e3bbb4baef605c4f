import { afterAll, beforeAll } from 'vitest'
import { type TestApp, type TestAppOptions, type TestWorkspace, testApp } from '../support/app.ts'
import type { Client } from '../support/client.ts'

/** The application of a file of tests, a workspace in it, and a client that may do everything there. */
export let app: TestApp
export let workspace: TestWorkspace
export let agent: Client

/** Opens them before the tests of the file that calls it, and closes the application after them. */
export function openScene(options?: TestAppOptions): void {
  beforeAll(async () => {
    app = await testApp(options)
    workspace = await app.workspace()
    agent = await workspace.credential()
  })
  afterAll(() => app[Symbol.asyncDispose]())
}
