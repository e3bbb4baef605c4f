import pg from 'pg'
import { expect, test } from 'vitest'
import { workerDatabase } from '../support/database.ts'
import { describeSchema } from './schema.ts'

test('schema.txt matches the schema that the migrations create', async () => {
  const client = new pg.Client({ connectionString: await workerDatabase() })
  await client.connect()
  try {
    await expect(await describeSchema(client)).toMatchFileSnapshot('../../schema.txt')
  } finally {
    await client.end()
  }
})
