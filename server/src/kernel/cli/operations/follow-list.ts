import type { Clock } from '../../clock.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { defaultLimit } from '../../http/paging.ts'
import { shownText } from '../output.ts'
import { patienceNotices, patiently, pause, pollMs } from '../patience.ts'
import { growingTable } from '../presentation.ts'
import { givenMembers } from './member-options.ts'
import { type Json, type Operation, type SendRequest, allPages, withQuery } from './run-operation.ts'

type Row = Json & { id: string }

/** A record is visible at most this long after its `created_at`, on servers and commands whose clocks differ. */
const overlapMs = 60_000

/**
 * Prints the last records of a list, oldest first, and then each new one once, until the signal is aborted. IDs do not
 * sort by the time at which records become visible, so each poll reads all that were created since a minute before the
 * previous one, and skips those that it had.
 */
export async function followList<D>(
  endpoint: Endpoint<D>,
  send: (request: Parameters<SendRequest<D>>[1]) => Promise<Json>,
  { given, query: options, now }: Operation,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): Promise<void> {
  const query = await givenMembers(options, given, now)
  const { limit = defaultLimit, fields, ...filters } = query
  const time = () => clock.now().getTime()
  const isJson = given['json'] === true
  const ask = patiently({ signal, ...patienceNotices(isJson) })
  const page = (members: Json) =>
    send({ endpoint, workspace: given.workspace, url: withQuery(endpoint.path, members), headers: {} })
  const rowsOf = async (list: Promise<Json>) => ((await list)['data'] as Row[]).toReversed()

  const names = typeof fields === 'string' ? fields.split(',') : (endpoint.tail ?? [])
  const lines = growingTable(['id', ...names.filter((name) => name !== 'id')])
  const show = (rows: readonly Row[]) => {
    const text = isJson ? rows.map((row) => JSON.stringify(row)).join('\n') : shownText(lines(rows))
    if (text !== '' && !signal.aborted) process.stdout.write(`${text}\n`)
  }

  // What the caller gave is sent as it is, so that the API reports what is wrong with it.
  const { created_from: from, created_to: to } = filters
  const selected = fields === undefined ? filters : { ...filters, fields }
  const since = (at: number): Json => ({
    ...selected,
    created_from: Date.parse(String(from)) <= at || from === undefined ? new Date(at).toISOString() : from,
  })
  const until = (at: number): Json => ({
    ...selected,
    created_to: Date.parse(String(to)) >= at || to === undefined ? new Date(at).toISOString() : to,
  })

  let asked = time()
  const start = asked - overlapMs
  const recent = await ask(() => rowsOf(allPages(page, since(start))))
  const before = await ask(() => rowsOf(page({ ...until(start), limit })))
  show([...before, ...recent].slice(-Number(limit)))
  for (let known = new Set(recent.map(({ id }) => id)); !signal.aborted;) {
    // A log that takes long to read gets as long a rest.
    await pause(Math.max(pollMs, time() - asked), signal)
    const floor = asked - overlapMs
    asked = time()
    const rows = await ask(() => rowsOf(allPages(page, since(floor))))
    show(rows.filter(({ id }) => !known.has(id)))
    known = new Set(rows.map(({ id }) => id))
  }
}
