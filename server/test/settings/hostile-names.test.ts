import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../support/app.ts'
import { type Person, personIn, signedInBrowser } from '../support/browser.ts'
import { type Records, makeRecords, pagesOf, pathFor, textOf } from './scene.ts'

let app: TestApp

beforeAll(async () => void (app = await testApp()))
afterAll(() => app[Symbol.asyncDispose]())

/** The names that each page below /settings/:workspace shows. */
const shown: Record<string, string[]> = {
  '/keys': ['key'],
  '/keys/:key/revoke': ['key'],
  '/apps': ['app'],
  '/apps/:app': ['app'],
  '/apps/:app/secret': ['app'],
  '/apps/:app/delete': ['app'],
  '/connections': ['app', 'approver'],
  '/connections/:connection/revoke': ['app'],
  '/webhooks': ['webhook'],
  '/webhooks/:webhook': ['webhook'],
  '/signatures': ['signature provider'],
  '/voice': ['voice provider'],
  '/members': ['guest', 'approver'],
}

const escaped = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')

const kinds: [string, (noun: string) => string][] = [
  ['markup', (noun) => `"><script>${noun}</script><img src=x onerror='a'>&lt;b&gt;`],
  ['right-to-left text', (noun) => `\u202E${noun} \u0645\u0631\u062D\u0628\u0627 \u2066\u2067`],
  ['120 characters without a space', (noun) => `${noun}${'\u{1F3E0}'.repeat(120 - noun.length)}`],
]

describe.each(kinds)('with names made of %s', (_, nameOf) => {
  let person: Person
  let records: Records
  beforeAll(async () => {
    const workspace = await app.workspace(nameOf('workspace'))
    person = await personIn(workspace)
    records = await makeRecords(app, workspace, person, nameOf)
  })

  test('every page shows the names as isolated text, the workspace’s included', async () => {
    const user = await signedInBrowser(app, person)
    for (const route of pagesOf(app)) {
      const page = await user.get(pathFor(route, records))
      if (page.status === 303) continue
      const names = ['workspace', ...(shown[route.path.replace('/settings/:workspace', '')] ?? [])].map(
        nameOf,
      )
      for (const name of names) {
        expect([route.path, textOf(page).includes(name)]).toEqual([route.path, true])
        // Each name is isolated, so that its writing direction does not reorder the surrounding text.
        const memberships = (page.body.split('<body>')[1] ?? '').split(escaped(name)).slice(0, -1)
        expect(memberships).not.toEqual([])
        for (const before of memberships) expect(before.slice(-60)).toMatch(/(<bdi>|value="|&quot;)$/)
      }
      expect(page.body).not.toMatch(/<script|<img/)
    }
  })
})
