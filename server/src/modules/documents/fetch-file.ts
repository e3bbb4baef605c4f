import type { Ctx } from '#kernel/context.ts'
import { type FileStore, FileTooLarge, reserveFile, storeFile } from '../files/public.ts'
import { changeDocument } from './change-document.ts'
import type { DocumentRow } from './document.ts'
import { lockWithContacts } from './lock.ts'
import type { Fault, ProviderAccount, SignatureProvider } from './ports.ts'
import { saveNextLook } from './queries.ts'

const maxBytes = 50 * 2 ** 20

/** Why a file was rejected. Permanent: the file is not fetched again. */
export interface FileFault {
  fault: 'file_rejected'
  message: string
}

class NotAPdf extends Error {}
class ProviderFault extends Error {
  readonly reason: Fault

  constructor(reason: Fault) {
    super(reason.message)
    this.reason = reason
  }
}

/** Copies the signed PDF of a document to the file store. Idempotent, and safe to run concurrently with an erasure. */
export async function fetchFile(
  ctx: Ctx,
  { account, provider, files }: { account: ProviderAccount; provider: SignatureProvider; files: FileStore },
  document: DocumentRow,
): Promise<Fault | FileFault | undefined> {
  const { id, provider_document_id } = document
  const fileId = await placeFor(ctx, id)
  if (fileId === null || provider_document_id === null) return undefined
  const open = async () => {
    const content = await provider.openFile(account, provider_document_id)
    if ('fault' in content) throw new ProviderFault(content)
    return pdfOnly(content)
  }
  try {
    if (await storeFile(ctx, files, fileId, open, maxBytes)) await recordStored(ctx, id, fileId)
    return undefined
  } catch (error) {
    if (error instanceof ProviderFault) return error.reason
    if (error instanceof FileTooLarge || error instanceof NotAPdf)
      return { fault: 'file_rejected', message: error.message }
    throw error
  }
}

/** The file ID of the document, reserved before the content exists. Null if the document has been erased. */
const placeFor = (ctx: Ctx, id: string): Promise<string | null> =>
  ctx.transaction(async (tx) => {
    const document = await lockWithContacts(tx, id)
    if (document === undefined || document.erased_at !== null) return null
    if (document.file_id !== null) return document.file_id
    const name = `${fileNameOf(document.title ?? 'Document')}.pdf`
    const file_id = reserveFile(tx, { name, media_type: 'application/pdf', scope: 'deals:read' })
    await changeDocument(tx, document, { file_id })
    return file_id
  })

const recordStored = (ctx: Ctx, id: string, fileId: string): Promise<void> =>
  ctx.transaction(async (tx) => {
    const document = await lockWithContacts(tx, id)
    if (document?.file_id !== fileId) return
    await changeDocument(tx, document, { file_stored_at: tx.clock.now().toISOString(), error: null })
    saveNextLook(tx, id, null)
  })

/** A title without path separators, control characters, and a redundant `.pdf` ending. */
const fileNameOf = (title: string) =>
  Array.from(title.replace(/\.pdf$/i, '').replaceAll(/[\p{C}/\\]+/gu, ' '))
    .slice(0, 120)
    .join('')
    .trim()

const signature = Buffer.from('%PDF-')

async function* pdfOnly(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let start: Buffer | undefined = Buffer.alloc(0)
  const requirePdf = (bytes: Buffer) => {
    if (!bytes.subarray(0, signature.length).equals(signature)) throw new NotAPdf('The file is no PDF.')
  }
  for await (const chunk of content) {
    if (start === undefined) {
      yield chunk
      continue
    }
    start = Buffer.concat([start, chunk])
    if (start.length < signature.length) continue
    requirePdf(start)
    yield start
    start = undefined
  }
  if (start !== undefined) requirePdf(start)
}
