import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Scene, openScene } from './scene.ts'

let scene: Scene

beforeAll(async () => void (scene = await openScene()))
afterAll(() => scene[Symbol.asyncDispose]())

test('the API reference works under a content security policy that forbids eval', async () => {
  await using visit = await scene.visit()
  // The script is large, and a busy machine takes a while to run it.
  visit.page.setDefaultTimeout(60_000)
  expect(await visit.open('/docs/api')).toBe(200)
  const policy = (await visit.page.request.get('/docs/api')).headers()['content-security-policy'] ?? ''
  expect(policy).toMatch(/(^|; )script-src 'self'(;|$)/)
  await visit.page.getByRole('heading', { name: 'Gable' }).first().waitFor()
  // A library probes for eval and goes on without.
  expect(visit.complaints.filter((one) => !one.startsWith('Evaluating a string as JavaScript'))).toEqual([])
}, 90_000)
