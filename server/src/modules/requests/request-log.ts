import type { Runtime } from '#kernel/context.ts'
import { keptError, keptValues } from '#kernel/http/kept-values.ts'
import type { ServedRequest } from '#kernel/http/served-request.ts'
import { type NewLogged, insertBatch } from './queries.ts'

/** How long requests are gathered before they are written together. */
const gatherMs = 800

/** How many may wait to be written. Beyond that, they are lost: the log must not take the memory of requests. */
const mostWaiting = 5000

export interface RequestLog extends AsyncDisposable {
  add(request: ServedRequest): void
}

/**
 * Writes the log of requests in batches beside them: a request does not wait for it, and a killed process loses up to a
 * second of it. Reads of the log itself are not logged.
 */
export function openRequestLog({ database, clock, log }: Runtime): RequestLog {
  let waiting = new Map<string, NewLogged[]>()
  let count = 0
  let lost = 0
  let writing: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined

  async function write(): Promise<void> {
    timer = undefined
    const batches = waiting
    waiting = new Map()
    count = 0
    if (lost > 0) log.warn({ lost }, 'requests were not logged')
    lost = 0
    await Promise.all([...batches].map(writeBatch))
  }

  async function writeBatch([workspaceId, requests]: [string, NewLogged[]]) {
    await insertBatch(database.unflushed(workspaceId), workspaceId, requests).catch((error: unknown) =>
      log.warn({ err: error, count: requests.length }, 'requests were not logged'),
    )
  }

  return {
    add(request) {
      if (request.endpoint?.path.startsWith('/requests') === true) return
      if (count >= mostWaiting) return void lost++
      count++
      const { workspaceId } = request.principal
      const row = rowOf(request, clock.now())
      const gathered = waiting.get(workspaceId)
      if (gathered === undefined) waiting.set(workspaceId, [row])
      else gathered.push(row)
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
    error_code: isError ? codeOf(text) : null,
    created_at: at.toISOString(),
  }
  if (body !== undefined && endpoint?.body !== undefined) row.request_body = keptValues(body, endpoint.body)
  if (text !== undefined) row.response_body = keptOf(text, isError, endpoint?.responses[status])
  // Whose erasure removes the bodies.
  if (row.request_body !== undefined || row.response_body !== undefined)
    row.subjects = idsIn(`${path} ${JSON.stringify([row.request_body, row.response_body])}`)
  return row
}

const idsIn = (text: string): string[] => [...new Set(text.match(/\bc[a-z0-9]{24}\b/g))]

const codeOf = (text: string | undefined): string | null => /"code":"(\w+)"/.exec(text ?? '')?.[1] ?? null

function keptOf(
  text: string,
  isError: boolean,
  schema: Parameters<typeof keptValues>[1] | undefined,
): unknown {
  const value: unknown = JSON.parse(text)
  if (isError) return keptError(value)
  return schema === undefined ? null : keptValues(value, schema)
}
