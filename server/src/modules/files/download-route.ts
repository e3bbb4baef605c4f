import { Readable } from 'node:stream'
import { NotFound, Unavailable } from '#kernel/errors.ts'
import type { PlainRequest, PlainResponse, PlainRoute } from '#kernel/http/plain-route.ts'
import { rangeOf } from './byte-range.ts'
import { readFileLink } from './file-link.ts'
import { findHolderOf } from './holder.ts'
import type { FileDependencies } from './ports.ts'
import { type FileRow, findFile } from './queries.ts'
import { readSharedLink, sharedPath } from './shared-link.ts'

type StoredFile = FileRow & { size: number; sha256: string; name: string }

const isStored = (file: FileRow): file is StoredFile => file.stored_at !== null && file.erased_at === null

const LinkNotFound = () => NotFound('The file does not exist, or the link has expired.')

/**
 * `/files/{token}` and `/recordings/{token}`: file contents by link. Each request checks the signature, the expiry, the
 * file, and whether the credential that requested the link could still request it, for its scopes and its reach. Every failure gets the same
 * response.
 */
export const downloadRoute = (path: string, { runtime, files }: FileDependencies): PlainRoute => ({
  path: `${path}:token`,
  methods: {
    async GET(request) {
      const link = readFileLink(runtime.keys, request.params['token'] ?? '')
      if (link === undefined || link.expiresAt <= runtime.clock.now()) throw LinkNotFound()
      const { workspaceId, fileId } = link
      const [file, holder] = await Promise.all([
        findFile(runtime.database.lookups(workspaceId), fileId),
        findHolderOf(runtime, workspaceId, link.holder),
      ])
      if (file === undefined || !isStored(file) || holder?.scopes.has(file.scope) !== true)
        throw LinkNotFound()
      if (holder.reach !== 'all') {
        const db = runtime.database.reads(workspaceId, holder.reach)
        const inReach = await Promise.all(runtime.reachableFiles.map((list) => list(db, [fileId])))
        if (inReach.flat().length === 0) throw LinkNotFound()
      }
      return responseFor(request, file, (range) => files.get({ workspaceId, fileId }, range))
    },
  },
})

/** `/shared-files/{token}`: a file for a provider that sends it. Checks the signature, the expiry, and the file. */
export const sharedRoute = ({ runtime, files }: FileDependencies): PlainRoute => ({
  path: `${sharedPath}:token`,
  methods: {
    async GET(request) {
      const link = readSharedLink(runtime.keys, request.params['token'] ?? '')
      if (link === undefined || link.expiresAt <= runtime.clock.now()) throw LinkNotFound()
      const { workspaceId, fileId } = link
      const file = await findFile(runtime.database.lookups(workspaceId), fileId)
      if (file === undefined || !isStored(file)) throw LinkNotFound()
      return responseFor(request, file, (range) => files.get({ workspaceId, fileId }, range))
    },
  },
})

async function responseFor(
  { method, headers }: PlainRequest,
  { size, sha256, name, media_type }: StoredFile,
  read: (range: { first: number; last: number }) => Promise<Readable | undefined>,
): Promise<PlainResponse> {
  const etag = `"${sha256}"`
  const common = {
    etag,
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'referrer-policy': 'no-referrer',
  }
  if (headers['if-none-match']?.split(',').some((one) => one.trim().replace(/^W\//, '') === etag))
    return { status: 304, headers: common, body: '' }
  const isSame = headers['if-range'] === undefined || headers['if-range'] === etag
  const range = rangeOf(isSame ? headers.range : undefined, size)
  if (range === 'unsatisfiable')
    return { status: 416, headers: { ...common, 'content-range': `bytes */${size}` }, body: '' }
  const { first, last } = range ?? { first: 0, last: size - 1 }
  const part = range === undefined ? {} : { 'content-range': `bytes ${first}-${last}/${size}` }
  const isEmpty = method === 'HEAD' || size === 0
  // Content that is missing from the store is an error of the store, not an erasure, so the response is not 404.
  const body = isEmpty ? Readable.from([]) : await read({ first, last })
  if (body === undefined) throw Unavailable()
  return {
    status: range === undefined ? 200 : 206,
    headers: {
      ...common,
      ...part,
      'content-type': media_type,
      'content-length': String(last - first + 1),
      'content-disposition': attachmentNamed(name),
    },
    body,
  }
}

/** Encodes the name both in ASCII and in full, for all browsers (RFC 6266). */
function attachmentNamed(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\w .()-]/g, '_')
  const full = encodeURIComponent(name).replaceAll(/['()*]/g, (one) => `%${one.charCodeAt(0).toString(16)}`)
  return `attachment; filename="${plain}"; filename*=UTF-8''${full}`
}
