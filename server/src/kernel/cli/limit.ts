import { InvalidArgumentError, Option } from 'commander'
import { type Page, createPage, newestFirst } from '../http/paging.ts'

const most = 1000

/** The options of a command that lists the newest of many records. */
export interface Limited {
  limit: number
}

export const limitOption = (usual = 200): Option =>
  new Option('--limit <number>', `how many to list, 1 to ${most}`).default(usual).argParser(limitOf)

/** The newest records and one beyond the limit, from which `tableOf` knows that there are more. */
export const newest = ({ limit }: Limited): Page => createPage(null, limit, '', newestFirst)

function limitOf(text: string): number {
  const limit = Number(text)
  if (/^\d+$/.test(text) && limit >= 1 && limit <= most) return limit
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${most}.`)
}
