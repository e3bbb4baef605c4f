import { registerApp } from '@gable/server/test/oauth/scene.ts'
import { personIn } from '@gable/server/test/support/browser.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { consentPath } from './consent-path.ts'
import { type Scene, type Visit, openScene } from './scene.ts'
import { startSite } from './site.ts'

let scene: Scene

beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene[Symbol.asyncDispose]())

/** What has the focus, and whether one sees that it has. */
const focused = ({ page }: Visit) =>
  page.evaluate<{ name: string; seen: boolean }>(`(() => {
    const element = document.activeElement
    const { outlineStyle, outlineWidth } = getComputedStyle(element)
    const { width, height, left } = element.getBoundingClientRect()
    return {
      name: element.labels?.[0]?.textContent?.trim() ?? element.textContent.trim(),
      seen: outlineStyle === 'solid' && parseFloat(outlineWidth) >= 2 && width > 0 && height > 0 && left >= 0,
    }
  })()`)

/** Moves through the page with the Tab key. Returns the focused elements in order; each must be visible. */
async function tabThrough(visit: Visit, stops: number): Promise<string[]> {
  const names: string[] = []
  for (let stop = 0; stop < stops; stop++) {
    await visit.page.keyboard.press('Tab')
    const { name, seen } = await focused(visit)
    expect(seen, name).toBe(true)
    names.push(name)
  }
  return names
}

test('a person can sign in, skip to the content, and allow an app with the keyboard alone', async () => {
  await using site = await startSite('<h1>You are back</h1>')
  const redirectUri = `http://127.0.0.1:${site.port}/callback`
  const { app } = await registerApp(scene.app, { redirect_uris: [redirectUri] })
  const [first, second] = [
    await scene.app.workspace('Lantern Realty'),
    await scene.app.workspace('Harbor Homes'),
  ]
  const person = await personIn(first)
  await personIn(second, 'admin', person.email)
  await using visit = await scene.visit()
  const { page } = visit
  const { keyboard } = page

  await visit.open(consentPath(app.id, redirectUri))
  expect(await tabThrough(visit, 3)).toEqual(['Skip to the content', 'Gable', 'Email address'])
  await keyboard.type(person.email)
  expect(await tabThrough(visit, 1)).toEqual(['Password'])
  await keyboard.type(person.password)
  await keyboard.press('Enter')
  await page.getByRole('heading', { name: 'An app asks for access' }).waitFor()

  await keyboard.press('Tab')
  await keyboard.press('Enter')
  expect(await tabThrough(visit, 1)).toEqual(['Harbor Homes'])
  await keyboard.press('Space')
  expect(await tabThrough(visit, 2)).toEqual(['Allow', 'Deny'])
  await keyboard.press('Shift+Tab')
  await keyboard.press('Enter')
  await page.getByRole('heading', { name: 'You are back' }).waitFor()
  expect(new URL(page.url()).searchParams.has('code')).toBe(true)
})

test('the Enter key in the consent form means Allow, its first button', async () => {
  await using site = await startSite('<h1>You are back</h1>')
  const redirectUri = `http://127.0.0.1:${site.port}/callback`
  const { app } = await registerApp(scene.app, { redirect_uris: [redirectUri] })
  const [first, second] = [
    await scene.app.workspace('Lantern Realty'),
    await scene.app.workspace('Harbor Homes'),
  ]
  const person = await personIn(first)
  await personIn(second, 'admin', person.email)
  await using visit = await scene.visitAs(person)
  await visit.open(consentPath(app.id, redirectUri))
  await visit.page.getByRole('radio', { name: 'Harbor Homes' }).focus()
  await visit.page.keyboard.press('Space')
  await visit.page.keyboard.press('Enter')
  await visit.page.getByRole('heading', { name: 'You are back' }).waitFor()
  expect(new URL(visit.page.url()).searchParams.has('code')).toBe(true)
})

test('an owner can create an API key with the keyboard alone', async () => {
  const workspace = await scene.app.workspace('Lantern Realty')
  await using visit = await scene.visitAs(await personIn(workspace))
  const { page } = visit
  const { keyboard } = page
  await visit.open(`/settings/${workspace.id}/keys`)
  expect(await tabThrough(visit, 16)).toEqual([
    'Skip to the content',
    'Gable',
    'Lantern Realty',
    'API keys',
    'Apps',
    'Connected apps',
    'Webhooks',
    'Senders',
    'Signatures',
    'Voice',
    'Members',
    'Workspace',
    'Compliance',
    'Account',
    'Sign out',
    'API',
  ])
  expect(await tabThrough(visit, 1)).toEqual(['Create API key'])
  await keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Create an API key' }).waitFor()
  await keyboard.press('Tab')
  await keyboard.press('Enter')
  expect(await tabThrough(visit, 1)).toEqual(['Name'])
  await keyboard.type('Website form')
  const [actsFor, first] = await tabThrough(visit, 2)
  expect(actsFor).toBe('Acts for')
  expect(first).toContain('See contacts and their details')
  await keyboard.press('Space')
  await keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Your new API key' }).waitFor()
  await keyboard.press('Tab')
  await keyboard.press('Enter')
  await keyboard.press('Tab')
  expect((await focused(visit)).name).toMatch(/^gbl_key_/)
})
