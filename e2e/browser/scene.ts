import { type TestApp, type TestAppOptions, testApp } from '@gable/server/test/support/app.ts'
import { type Browser, type Person, signedInBrowser } from '@gable/server/test/support/browser.ts'
import { freshDatabase } from '@gable/server/test/support/database.ts'
import { type BrowserContext, type BrowserContextOptions, type Page, chromium } from 'playwright-core'
import { findChromium, howToGetChromium } from './find-chromium.ts'

/** The application, and a Chromium that looks at it. */
export interface Scene extends AsyncDisposable {
  app: TestApp
  /** The address of the application by its name: passkeys do not work at the number of an address. */
  byName: string
  /** Opens a new browser profile without any session. */
  visit(options?: BrowserContextOptions): Promise<Visit>
  /** Opens a browser for a person who has just signed in outside it. */
  visitAs(person: Person, options?: BrowserContextOptions): Promise<Visit>
  /** Opens a browser with the cookies of a session that began outside it. */
  visitWith(begun: Pick<Browser, 'cookies'>, options?: BrowserContextOptions): Promise<Visit>
}

export interface Visit extends AsyncDisposable {
  context: BrowserContext
  page: Page
  /** What the browser had to complain of: policies that were violated, scripts that failed, dialogs that opened. */
  complaints: string[]
  /** Opens a path of the application. Returns the status. */
  open(path: string): Promise<number | undefined>
  /** Fills in the form of the sign-in page, which must be there, and sends it. */
  fillSignIn(person: Pick<Person, 'email' | 'password'>): Promise<void>
}

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // The sites of the tests are all on this machine.
  '--host-resolver-rules=MAP *.example 127.0.0.1',
]

let scenes = 0

/** Opens both, on a database of their own. By default the clock of the application stands at the present, as the browser's. */
export async function openScene(options: Omit<TestAppOptions, 'databaseUrl'> = {}): Promise<Scene> {
  const executablePath = findChromium()
  if (executablePath === undefined) throw new Error(`The tests need a browser: ${howToGetChromium}`)
  await using opened = new AsyncDisposableStack()
  const databaseUrl = await freshDatabase(`browser_${process.pid}_${++scenes}`)
  const app = opened.use(await testApp({ now: new Date(), databaseUrl, ...options }))
  const browser = opened.use(await chromium.launch({ executablePath, args }))
  const byName = `http://localhost:${new URL(app.url).port}`
  const all = opened.move()
  const visit: Scene['visit'] = async (how = {}) =>
    visitIn(await browser.newContext({ baseURL: app.url, ...how }))
  const visitWith: Scene['visitWith'] = async ({ cookies }, how = {}) => {
    const user = await visit(how)
    // A browser takes Secure cookies from this machine by http too; its debugger does not.
    const url = (how.baseURL ?? app.url).replace('http:', 'https:')
    const flags = { url, httpOnly: true, sameSite: 'Lax' as const }
    await user.context.addCookies([...cookies].map(([name, value]) => ({ name, value, ...flags })))
    return user
  }
  return {
    app,
    byName,
    visit,
    visitWith,
    visitAs: async (person, how) => visitWith(await signedInBrowser(app, person), how),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

async function visitIn(context: BrowserContext): Promise<Visit> {
  context.setDefaultTimeout(10_000)
  const complaints: string[] = []
  context.on('console', (message) => {
    // A page with the status 401 or 404 says so itself.
    const said = message.text()
    if (message.type() === 'error' && !said.startsWith('Failed to load resource')) complaints.push(said)
  })
  context.on('weberror', (error) => void complaints.push(error.error().message))
  context.on('dialog', async (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`)
    await dialog.dismiss()
  })
  const page = await context.newPage()
  return {
    context,
    page,
    complaints,
    open: async (path) => (await page.goto(path))?.status(),
    async fillSignIn({ email, password }) {
      await page.getByLabel('Email address').fill(email)
      await page.getByLabel('Password', { exact: true }).fill(password)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    },
    [Symbol.asyncDispose]: () => context.close(),
  }
}

/** How wide the page is, which is more than its window where it scrolls sideways. */
export const widthOf = ({ page }: Visit): Promise<number> =>
  page.evaluate<number>('document.documentElement.scrollWidth')
