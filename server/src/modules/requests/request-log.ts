import type { Runtime } from '#kernel/context.ts'
import { keptError, keptValues } from '#kernel/http/kept-values.ts'
import type { ServedRequest } from '#kernel/http/served-request.ts'
import { type NewLogged, insertRequests } from './queries.ts'

/** How long requests are gathered before they are written together. */
const gatherMs = 500

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
  let waiting: { request: ServedRequest; at: string }[] = []
  let lost = 0
  let writing: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined

  async function write(): Promise<void> {
    timer = undefined
    const batch = waiting
    waiting = []
    if (lost > 0) log.warn({ lost }, 'requests were not logged')
    lost = 0
    for (const [workspaceId, some] of Map.groupBy(batch, ({ request }) => request.principal.workspaceId)) {
      const rows = some.map(({ request, at }) => rowOf(request, at))
      await database
        .transaction(workspaceId, (tx) => insertRequests(tx, rows))
        .catch((error: unknown) => log.warn({ err: error, count: rows.length }, 'requests were not logged'))
    }
  }

  return {
    add(request) {
      if (request.endpoint?.path.startsWith('/requests') === true) return
      if (waiting.length >= mostWaiting) return void lost++
      waiting.push({ request, at: clock.now().toISOString() })
      timer ??= setTimeout(() => void (writing = writing.then(write)), gatherMs)
    },
    async [Symbol.asyncDispose]() {
      clearTimeout(timer)
      await (writing = writing.then(write))
    },
  }
}

function rowOf({ principal, endpoint, body, text, ...rest }: ServedRequest, at: string): NewLogged {
  const isError = rest.status >= 400
  const requestBody =
    body === undefined || endpoint?.body === undefined ? null : keptValues(body, endpoint.body)
  const responseBody = text === undefined ? null : keptOf(text, isError, endpoint?.responses[rest.status])
  const bodies = [requestBody, responseBody].map((one) => (one === null ? null : JSON.stringify(one)))
  return {
    id: rest.requestId.replace(/^req_/, ''),
    method: rest.method,
    path: rest.path,
    status: rest.status,
    ms: rest.ms,
    credentialType: principal.actor.type,
    credentialId: principal.credentialId,
    ip: rest.address,
    errorCode: isError ? codeOf(text) : null,
    requestBody: bodies[0] ?? null,
    responseBody: bodies[1] ?? null,
    subjects: subjectsOf(rest.path, bodies).join(' '),
    at,
  }
}

/** Whose erasure removes the bodies. Of a request without any there is nothing to remove, so the index leaves it out. */
const subjectsOf = (path: string, bodies: readonly (string | null)[]): string[] =>
  bodies.every((one) => one === null)
    ? []
    : [...new Set(`${path} ${bodies.join(' ')}`.match(/\bc[a-z0-9]{24}\b/g))]

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
