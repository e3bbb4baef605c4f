import { expect, test } from 'vitest'
import { startTxtServer } from './name-server-txt.ts'

const name = 'gable._domainkey.lantern.example'
const [serverFailure, noSuchName, rejected] = [2, 3, 5]

test('a lookup joins the parts of a TXT record and returns nothing for an unknown name', async () => {
  using parts = await startTxtServer(['v=DKIM1; ', 'p=abc'])
  expect(await parts.lookup(name)).toEqual(['v=DKIM1; p=abc'])
  using none = await startTxtServer([])
  expect(await none.lookup(name)).toEqual([])
  using unknown = await startTxtServer(noSuchName)
  expect(await unknown.lookup(name)).toEqual([])
})

test.for([serverFailure, rejected])('code %i from a name server is an error', async (code) => {
  using server = await startTxtServer(code)
  await expect(server.lookup(name)).rejects.toThrow(`The TXT records of ${name} are not known: `)
})
