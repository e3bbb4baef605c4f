import { asOwner, freshDatabase } from '@gable/server/test/support/database.ts'
import { inject } from 'vitest'

/** The environment of a server with its own database, migrated and empty. */
export const newDatabase = async (name: string) => serverEnv(await freshDatabase(`faults_${name}`))

/** The same without tables. */
export async function newBareDatabase(name: string) {
  const { serverUrl, prefix } = inject('databases')
  await asOwner(serverUrl, `create database ${prefix}_faults_${name} template template0`)
  const url = new URL(serverUrl)
  url.pathname = `/${prefix}_faults_${name}`
  return serverEnv(url.href)
}

const serverEnv = (url: string) => ({
  DATABASE_URL: url,
  APP_SECRET: 'a secret that only the tests know and long enough',
})
