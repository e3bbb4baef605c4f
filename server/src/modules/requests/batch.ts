/** A request to write. The bodies are JSON values without texts that describe people. */
export interface NewLogged {
  id: string
  method: string
  path: string
  status: number
  ms: number
  credential_type: string
  credential_id: string
  ip: string
  error_code?: string | undefined
  created_at: string
  request_body?: unknown
  response_body?: unknown
  /** IDs in the bodies. */
  subjects?: string[]
}

/** Requests of one workspace. As texts, thousands of them cost the garbage collector little. */
export interface LoggedBatch {
  /** The least and the greatest ID. */
  firstId: string
  lastId: string
  texts: string[]
  errorCodes: Set<string>
  subjects: Set<string>
  /** When the last one ended. */
  at: string
}

/** An empty batch that begins with this request. */
export const newBatch = ({ id, created_at }: NewLogged): LoggedBatch => ({
  firstId: id,
  lastId: id,
  texts: [],
  errorCodes: new Set(),
  subjects: new Set(),
  at: created_at,
})

/** What PostgreSQL cannot store in a text: the zero byte, and halves of a pair. */
const unstorable = /\\u(?:0000|d[89a-f])/

const storable = (text: string): string =>
  unstorable.test(text)
    ? JSON.stringify(JSON.parse(text), (_, value: unknown) =>
        typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\ufffd') : value,
      )
    : text

/** Returns how many characters the request adds. */
export function addTo(batch: LoggedBatch, request: NewLogged): number {
  const { id, error_code, subjects = [], created_at } = request
  if (id < batch.firstId) batch.firstId = id
  if (id > batch.lastId) batch.lastId = id
  if (error_code !== undefined) batch.errorCodes.add(error_code)
  for (const subject of subjects) batch.subjects.add(subject)
  batch.at = created_at
  const text = storable(JSON.stringify(request))
  batch.texts.push(text)
  return text.length
}
