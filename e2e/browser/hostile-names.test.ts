import { afterAll, beforeAll, expect, test } from 'vitest'
import { widthOf } from './scene.ts'
import { reach, titleOf } from './stop.ts'
import { stops } from './stops.ts'
import { type World, openWorld } from './world.ts'

/** Markup, text from right to left, and a word that does not fit on a line, as long as a name can be. */
const name = `\u202E"><img src=x onerror=alert(1)><script>alert(1)</script>&lt;'مرحبا`.padEnd(120, 'x')

const naming = stops.filter(({ named }) => named !== undefined).map((stop) => [titleOf(stop), stop] as const)

let world: World

beforeAll(async () => {
  world = await openWorld(name)
})
afterAll(() => world[Symbol.asyncDispose]())

test.each(naming)('%s shows a hostile name as text without breaking the layout', async (_title, stop) => {
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

const textsOf = (elements: readonly { innerText: string; value?: string }[]): string[] =>
  elements.map(({ innerText, value }) => value ?? innerText)
