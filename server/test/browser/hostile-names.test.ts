import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { widthOf } from './scene.ts'
import { reach, titleOf } from './stop.ts'
import { stops } from './stops.ts'
import { type World, openWorld } from './world.ts'

const names = [
  { kind: 'markup', name: `"><img src=x onerror=alert(1)><script>alert(1)</script>&lt;b&gt;'` },
  { kind: 'a long word from right to left', name: `\u202Eمرحبا${'x'.repeat(114)}` },
]

const naming = stops.filter(({ named }) => named !== undefined).map((stop) => [titleOf(stop), stop] as const)

describe.each(names)('where everything is called by $kind', ({ name }) => {
  let world: World
  beforeAll(async () => {
    world = await openWorld(name)
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test.each(naming)('%s shows it as text, in its place', async (_title, stop) => {
    const visit = await reach(stop, world)
    const { page } = visit
    await page.setViewportSize({ width: 320, height: 800 })
    const shown = stop.named === 'briefly' ? world.shortName : name
    const texts = await page.locator('main, main input').evaluateAll(textsOf)
    expect(texts.some((text) => text.includes(shown))).toBe(true)
    expect(await page.locator('main img, main script').count()).toBe(0)
    expect(await widthOf(visit)).toBe(320)
    expect(visit.complaints).toEqual([])
  })
})

const textsOf = (elements: readonly { innerText: string; value?: string }[]): string[] =>
  elements.map(({ innerText, value }) => value ?? innerText)
