import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Scene, openScene } from './scene.ts'

let scene: Scene
/** A site of its own, with the client as a module. */
const site = createServer((request, response) => {
  const name = basename(request.url ?? '')
  const type = name.endsWith('.js') ? 'text/javascript' : 'text/html'
  const body = name.endsWith('.js') ? readFileSync(new URL(`../../sdk/dist/${name}`, import.meta.url)) : ''
  response.writeHead(200, { 'content-type': type }).end(body)
})

beforeAll(async () => {
  scene = await openScene()
  await once(site.listen(0, '127.0.0.1'), 'listening')
})
afterAll(async () => {
  site.close()
  await scene[Symbol.asyncDispose]()
})

test('the client works in a page of another site', async () => {
  const { key = '' } = await scene.app.credential('contacts:write')
  await using visit = await scene.visit()
  await visit.page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`)
  const options = { apiKey: key, baseUrl: scene.app.url }
  const program = `(async () => {
    const { Gable } = await import('/index.js')
    const gable = new Gable(${JSON.stringify(options)})
    const { id, updated_at } = await gable.contacts.create({ first_name: 'Ada' })
    const { stage } = await gable.contacts.update(id, { stage: 'SPHERE' }, { ifMatch: updated_at })
    const names = []
    for await (const { first_name } of gable.contacts.list({ limit: 1 })) names.push(first_name)
    const error = await gable.contacts.update(id, { stage: 'LEAD' }, { ifMatch: updated_at }).catch((one) => one)
    return { stage, names, code: error.code, requestId: error.requestId }
  })()`
  expect(await visit.page.evaluate(program)).toEqual({
    stage: 'SPHERE',
    names: ['Ada'],
    code: 'precondition_failed',
    requestId: expect.stringMatching(/^req_/),
  })
  expect(visit.complaints).toEqual([])
})
