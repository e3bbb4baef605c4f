import axe from 'axe-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Visit, widthOf } from './scene.ts'
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

const looks = [320, 1280].flatMap((width) => [
  { width, colorScheme: 'light' as const },
  { width, colorScheme: 'dark' as const },
])

describe.each(stops)('$name', ({ who, reach }) => {
  test('can be read and used by everybody, in light and dark, wide and narrow', async () => {
    const visit = world.visits[who]
    await reach(visit, world)
    await visit.page.evaluate(axe.source)
    for (const { width, colorScheme } of looks) {
      await visit.page.setViewportSize({ width, height: 800 })
      await visit.page.emulateMedia({ colorScheme })
      expect(await violations(visit), `${width} px, ${colorScheme}`).toEqual([])
      expect(await widthOf(visit)).toBe(width)
    }
    expect(visit.complaints).toEqual([])
  })
})
