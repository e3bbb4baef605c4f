import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** The best level that takes less than a second for the largest document. */
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }

const encoders: Readonly<Record<string, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, quality),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 9 }),
}

interface Encoded {
  bytes: Buffer
  etag: string
}

export interface DocumentResponse {
  status: 200 | 304
  headers: Record<string, string>
  body: Buffer
}

/**
 * Serves a document that is the same for everyone while the process runs. It is made when it is first requested, and
 * each encoding once: Brotli or gzip, as the request accepts. Responses have an `ETag`; a request that names it in
 * `If-None-Match` gets a 304.
 */
export function precompressed(
  make: () => Promise<Buffer> | Buffer,
): (headers: IncomingHttpHeaders) => Promise<DocumentResponse> {
  let original: Promise<Buffer> | undefined
  const encodings = new Map<string | undefined, Promise<Encoded>>()
  async function encode(encoding: string | undefined): Promise<Encoded> {
    const plain = await (original ??= Promise.resolve(make()))
    const bytes = await (encoders[encoding ?? '']?.(plain) ?? plain)
    return { bytes, etag: `"${hash('sha256', bytes, 'base64url').slice(0, 27)}"` }
  }
  return async (headers) => {
    const encoding = Object.keys(encoders).find((name) => accepts(headers['accept-encoding'], name))
    const encoded = encodings.get(encoding) ?? encode(encoding)
    encodings.set(encoding, encoded)
    const { bytes, etag } = await encoded
    const shared = { etag, vary: 'accept-encoding', 'cache-control': 'no-cache' }
    if (names(headers['if-none-match'], etag)) return { status: 304, headers: shared, body: Buffer.alloc(0) }
    const coding = encoding === undefined ? {} : { 'content-encoding': encoding }
    return { status: 200, headers: { ...shared, ...coding }, body: bytes }
  }
}

const listed = (header: string | string[] | undefined) =>
  [header ?? []].flat().flatMap((line) => line.split(',').map((one) => one.trim()))

/** Whether an Accept-Encoding names the encoding, and not with `q=0`. */
const accepts = (header: string | string[] | undefined, encoding: string): boolean =>
  listed(header).some((one) => {
    const [name = '', ...parameters] = one
      .toLowerCase()
      .split(';')
      .map((part) => part.trim())
    return name === encoding && !parameters.some((each) => /^q=0(\.0*)?$/.test(each))
  })

/** Whether an If-None-Match names the version. A weak comparison, as RFC 9110 requires (13.1.2). */
const names = (header: string | undefined, etag: string): boolean =>
  listed(header).some((one) => one === '*' || one.replace(/^W\//, '') === etag)
