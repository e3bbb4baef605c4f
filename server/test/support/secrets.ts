import { createLog } from '#kernel/log.ts'
import { type HouseOptions, openHouse } from '../../src/app.ts'
import { type TestApp, appSecret } from './app.ts'

/** Does something to a house on the same database that has other application secrets, newest first. */
export async function withSecrets(
  { databaseUrl, clock }: TestApp,
  appSecrets: string[],
  work: (house: ReturnType<typeof openHouse>) => Promise<void>,
): Promise<void> {
  const egress: HouseOptions['egress'] = { allowHttp: 'none', allowPrivate: 'none' }
  const options = { databaseUrl, appSecrets, clock, log: createLog('silent'), checkRows: true, egress }
  const house = openHouse(options)
  await using _database = house.database
  await using _egress = house.egress
  await work(house)
}

/** The application secret that tests replace, and what they replace it with. */
export const older = appSecret
export const newer = 'another secret that only the tests know'
