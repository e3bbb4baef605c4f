import type { Runtime } from '#kernel/context.ts'
import { keptError, keptValues } from '#kernel/http/kept-values.ts'
import type { ServedRequest } from '#kernel/http/served-request.ts'
import { type LoggedBatch, type NewLogged, addTo, newBatch } from './batch.ts'
import { insertBatch } from './queries.ts'

/** How long requests are gathered before they are written together. */
const gatherMs = 800

/** How much may wait to be written, in characters. Beyond that, requests are lost: the log must not take their memory. */
const mostWaiting = 16_000_000

export interface RequestLog extends AsyncDisposable {
  add(request: ServedRequest): void
}

/**
 * Writes the log of requests in batches beside them: a request does not wait for it, and a killed process loses up to a
 * second of it. Reads of the log itself are not logged.
 */
export function openRequestLog({ database, clock, log }: Runtime): RequestLog {
  let batches = new Map<string, LoggedBatch>()
  let waiting = 0
  let lost = 0
  let writing: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined

  async function write(): Promise<void> {
    timer = undefined
    const written = batches
    batches = new Map()
    waiting = 0
    if (lost > 0) log.warn({ lost }, 'requests were not logged')
    lost = 0
    await Promise.all([...written].map(writeBatch))
  }

  async function writeBatch([workspaceId, batch]: [string, LoggedBatch]) {
    await insertBatch(database.unflushed(workspaceId), batch).catch((error: unknown) =>
      log.warn({ err: error, count: batch.texts.length }, 'requests were not logged'),
    )
  }

  return {
    add(request) {
      if (request.endpoint?.path.startsWith('/requests') === true) return
      if (waiting >= mostWaiting) return void lost++
      const { workspaceId } = request.principal
      const row = rowOf(request, clock.now())
      const batch = batches.get(workspaceId) ?? newBatch(row)
      batches.set(workspaceId, batch)
      waiting += addTo(batch, row)
      timer ??= setTimeout(() => void (writing = writing.then(write)), gatherMs)
    },
    async [Symbol.asyncDispose]() {
      clearTimeout(timer)
      await (writing = writing.then(write))
    },
  }
}

function rowOf(request: ServedRequest, at: Date): NewLogged {
  const { principal, endpoint, path, status, body, text } = request
  const isError = status >= 400
  const row: NewLogged = {
    id: request.requestId.slice('req_'.length),
    method: request.method,
    path,
    status,
    ms: request.ms,
    credential_type: principal.actor.type,
    credential_id: principal.credentialId,
    ip: request.address,
    created_at: at.toISOString(),
  }
  if (isError) row.error_code = codeOf(text)
  if (body !== undefined && endpoint?.body !== undefined) row.request_body = keptValues(body, endpoint.body)
  if (text !== undefined) row.response_body = keptOf(text, isError, endpoint?.responses[status])
  // Whose erasure removes the bodies.
  if (row.request_body !== undefined || row.response_body !== undefined)
    row.subjects = idsIn(`${path} ${JSON.stringify([row.request_body, row.response_body])}`)
  return row
}

const idsIn = (text: string): string[] => [...new Set(text.match(/\bc[a-z0-9]{24}\b/g))]

const codeOf = (text = '') => /"code":"(\w+)"/.exec(text)?.[1]

function keptOf(
  text: string,
  isError: boolean,
  schema: Parameters<typeof keptValues>[1] | undefined,
): unknown {
  const value: unknown = JSON.parse(text)
  if (isError) return keptError(value)
  return schema === undefined ? null : keptValues(value, schema)
}
