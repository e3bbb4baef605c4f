import { expect, test } from 'vitest'
import { startTxtServer } from './name-server-txt.ts'

const name = 'gable._domainkey.lantern.example'
const [serverFailure, noSuchName, rejected] = [2, 3, 5]

test('a TXT record in parts is one; a name that does not exist has none', async () => {
  using parts = await startTxtServer(['v=DKIM1; ', 'p=abc'])
  expect(await parts.lookup(name)).toEqual(['v=DKIM1; p=abc'])
  using none = await startTxtServer([])
  expect(await none.lookup(name)).toEqual([])
  using unknown = await startTxtServer(noSuchName)
  expect(await unknown.lookup(name)).toEqual([])
})

test.for([serverFailure, rejected])('the code %i of a name server is an error', async (code) => {
  using server = await startTxtServer(code)
  await expect(server.lookup(name)).rejects.toThrow(`The TXT records of ${name} are not known: `)
})
