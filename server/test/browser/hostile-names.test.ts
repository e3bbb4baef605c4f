import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { widthOf } from './scene.ts'
import { stops } from './stops.ts'
import { type World, openWorld } from './world.ts'

const names = [
  { kind: 'markup', name: `"><img src=x onerror=alert(1)><script>alert(1)</script>&lt;b&gt;'` },
  { kind: 'a long word from right to left', name: `\u202Eمرحبا${'x'.repeat(114)}` },
]

describe.each(names)('where everything is called by $kind', ({ name }) => {
  let world: World
  beforeAll(async () => {
    world = await openWorld(name)
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test.each(stops.filter(({ named }) => named))(
    '“$name” shows it as text, in its place',
    async ({ who, reach, named }) => {
      const visit = world.visits[who]
      const { page } = visit
      await page.setViewportSize({ width: 320, height: 800 })
      await reach(visit, world)
      expect(await page.locator('main').innerText()).toContain(named === 'briefly' ? world.shortName : name)
      expect(await page.locator('main img, main script').count()).toBe(0)
      expect(await widthOf(visit)).toBe(320)
      expect(visit.complaints).toEqual([])
    },
  )
})
