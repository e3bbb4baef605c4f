import axe from 'axe-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mailRoutes } from '../../src/modules/mail/public.ts'
import { oauthRoutes } from '../../src/modules/oauth/public.ts'
import { settingsRoutes } from '../../src/modules/settings/public.ts'
import { signinRoutes } from '../../src/modules/signin/public.ts'
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

/** What breaks WCAG 2.2 at level AA or is bad practice, in words for whoever mends it. */
async function violations({ page }: Visit): Promise<string[]> {
  const found = await page.evaluate<axe.NodeResult[]>(
    `axe.run(${JSON.stringify(options)}).then(({ violations }) => violations.flatMap(({ nodes }) => nodes))`,
  )
  return found.map(({ html, failureSummary }) => `${html}: ${failureSummary}`)
}

/** Each width and each kind of colours: what a rule finds depends on the one or the other. */
const looks = [
  { width: 320, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
] as const

test.each(stops.map((stop) => [titleOf(stop), stop] as const))(
  '%s can be read and used by everybody, in light and dark, wide and narrow',
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

test('every page that there is has been looked at; where there is none, one is led to another', async () => {
  const { house, url } = world.scene.app
  const origin = () => url
  const routes = [
    ...signinRoutes(house, origin),
    ...oauthRoutes(house, { origin, failureLimit: 1 }),
    ...mailRoutes(house, { origin }),
    ...settingsRoutes(house, { origin, sendsMail: false }),
  ]
  const looked = new Set(stops.map(({ at }) => at))
  const others = routes.filter(({ path, methods }) => methods.GET !== undefined && !looked.has(path))
  const { request } = world.visits.owner.context
  for (const { path } of others) {
    const response = await request.get(pathFor(path, world.records), { maxRedirects: 0 })
    const isPage = response.headers()['content-type']?.startsWith('text/html') ?? false
    expect([path, isPage]).toEqual([path, false])
  }
})
