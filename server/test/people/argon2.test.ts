import { createHook } from 'node:async_hooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPerson, joinWorkspace } from '../../src/modules/people/join-workspace.ts'
import { passwordCost } from '../../src/modules/people/password.ts'
import { createMember } from '../../src/modules/workspaces/public.ts'
import { type Scene, scene, signIn, wrongPasswords } from './scene.ts'

let hashes = 0
const counting = createHook({ init: (_, type) => void (hashes += type === 'ARGON2REQUEST' ? 1 : 0) })

let it: Scene
beforeAll(async () => {
  it = await scene()
  counting.enable()
})
afterAll(async () => {
  counting.disable()
  await it[Symbol.asyncDispose]()
})

test('a sign-in computes exactly one hash, whether or not the address and password are valid', async () => {
  const person = await it.person()
  const invited = { name: 'Someone', email: 'no-password@gable.example' }
  await createMember(it.workspace.ctx, { ...invited, role: 'agent' }, async (tx, member) =>
    joinWorkspace(tx, (await createPerson(tx, { ...invited, password: null })).id, member),
  )
  for (const [email, password] of [
    [person.email, person.password],
    [person.email, 'a wrong one'],
    ['unknown@gable.example', 'a wrong one'],
    [invited.email, 'a wrong one'],
    ['', ''],
  ] as const) {
    hashes = 0
    await signIn(it.user(), { email, password })
    expect([email, hashes]).toEqual([email, 1])
  }
})

test('the hash for an unknown address is as much work as one for a known address', async () => {
  const usual = { ...passwordCost }
  Object.assign(passwordCost, { memory: 19_456, passes: 4 })
  try {
    const person = await it.person()
    const work = async (email: string) => {
      const before = process.cpuUsage()
      await signIn(it.user(), { email, password: 'a wrong one' })
      return process.cpuUsage(before).user
    }
    const known = await work(person.email)
    expect(await work('unknown@gable.example')).toBeGreaterThan(known / 3)
  } finally {
    Object.assign(passwordCost, usual)
  }
})

test('a locked account computes no hash, so the work does not reveal the right password', async () => {
  const person = await it.person()
  await wrongPasswords(it.user, 10, person.email)
  hashes = 0
  for (const password of [person.password, 'a wrong one'])
    expect((await signIn(it.user(), { email: person.email, password })).status).toBe(429)
  expect(hashes).toBe(0)
})
