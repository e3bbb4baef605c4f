import { personIn } from '@gable/server/test/support/browser.ts'
import { routesOf } from '@gable/server/test/support/routes.ts'
import axe from 'axe-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Visit, widthOf } from './scene.ts'
import { pathFor, reach, titleOf } from './stop.ts'
import { stops } from './stops.ts'
import { type World, openWorld } from './world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld('Lantern & Oak Realty')
})
afterAll(() => world[Symbol.asyncDispose]())

const options: axe.RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
}

/** Violations of WCAG 2.2 level AA and of best practices, described for the person who fixes them. */
async function violations({ page }: Visit): Promise<string[]> {
  const found = await page.evaluate<axe.NodeResult[]>(
    `axe.run(${JSON.stringify(options)}).then(({ violations }) => violations.flatMap(({ nodes }) => nodes))`,
  )
  return found.map(({ html, failureSummary }) => `${html}: ${failureSummary}`)
}

/** Each width and each color scheme: a rule's findings depend on both. */
const looks = [
  { width: 320, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
] as const

test.each(stops.map((stop) => [titleOf(stop), stop] as const))(
  '%s has no WCAG 2.2 AA violations, narrow in light mode and wide in dark mode',
  async (_title, stop) => {
    const visit = await reach(stop, world)
    expect(new URL(visit.page.url()).pathname.split('/').length).toBe(stop.at.split('/').length)
    await visit.page.evaluate(axe.source)
    for (const { width, colorScheme } of looks) {
      await visit.page.setViewportSize({ width, height: 800 })
      await visit.page.emulateMedia({ colorScheme })
      expect(await violations(visit), `${width} px, ${colorScheme}`).toEqual([])
      expect(await widthOf(visit)).toBe(width)
    }
    expect(visit.complaints).toEqual([])
  },
)

test('the mark of a workspace in test mode is legible on narrow and wide pages, in light and in dark', async () => {
  const { scene, name } = world
  const workspace = await scene.app.workspace(name)
  await workspace.enterTestMode()
  await (await workspace.credential()).post('/test-clock', { advance: 'P30D' })
  await using visit = await scene.visitAs(await personIn(workspace, 'owner'))
  await visit.open(`/settings/${workspace.id}/keys`)
  await visit.page.evaluate(axe.source)
  const note = visit.page.locator('header .test-mode')
  expect(await note.textContent()).toMatch(/^Test mode\. .* Its clock shows .* UTC\.$/)
  for (const width of [320, 360, 1280])
    for (const colorScheme of ['light', 'dark'] as const) {
      await visit.page.setViewportSize({ width, height: 800 })
      await visit.page.emulateMedia({ colorScheme })
      expect(await violations(visit), `${width} px, ${colorScheme}`).toEqual([])
      expect(await widthOf(visit)).toBe(width)
    }
  expect(visit.complaints).toEqual([])
})

test('every page is checked; no other route serves a page', async () => {
  const routes = routesOf(world.scene.app)
  const looked = new Set(stops.map(({ at }) => at))
  const others = routes.filter(({ path, methods }) => methods.GET !== undefined && !looked.has(path))
  const { request } = world.visits.owner.context
  for (const { path } of others) {
    const records = {
      ...world.records,
      provider: 'twilio',
      connection: 'unknown',
      feed: 'unknown',
      token: 'unknown',
    }
    const response = await request.get(pathFor(path, records), { maxRedirects: 0 })
    const isPage = response.headers()['content-type']?.startsWith('text/html') ?? false
    expect([path, isPage]).toEqual([path, false])
  }
})
