import { createHook } from 'node:async_hooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Scene, scene, signIn } from './scene.ts'

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
  for (const [email, password] of [
    [person.email, person.password],
    [person.email, 'a wrong one'],
    ['unknown@gable.example', 'a wrong one'],
    ['', ''],
  ] as const) {
    hashes = 0
    await signIn(it.user(), { email, password })
    expect([email, hashes]).toEqual([email, 1])
  }
})
