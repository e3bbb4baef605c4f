import { createHmac } from 'node:crypto'
import type { Reply } from '#kernel/egress/egress.ts'
import type { Callback, Fault, ProviderAccount, SignatureProvider } from '../../modules/documents/ports.ts'
import { callbackReader } from '../callback-body.ts'
import { isOneOf } from '../compare.ts'
import { beginningOf, objectOf, objectsIn } from '../replies.ts'
import {
  type DocusignPlace,
  connectKeysOf,
  createAccess,
  docusignFault,
  noSuchEnvelope,
  startMs,
} from './access-token.ts'
import { docusignSubject } from './callback-subject.ts'
import { envelopeIn } from './read-envelope.ts'

const readSubject = callbackReader(docusignSubject, import.meta.resolve('./callback-subject.ts'))

const maxFileBytes = 100 * 2 ** 20

/**
 * Envelopes that were sent from DocuSign, through its eSignature REST API v2.1. An account's name is its API account
 * ID.
 */
export function docusignProvider({
  publicOrigin = () => '',
  ...place
}: DocusignPlace & { /** This server's public address. */ publicOrigin?: () => string }): SignatureProvider {
  const access = createAccess(place)

  async function call(
    account: ProviderAccount,
    path: string,
    body?: object,
  ): Promise<{ reply: Reply } | Fault> {
    if (hasDots.test(path)) return noSuchEnvelope
    const opened = await access.to(account)
    if ('fault' in opened) return opened
    const reply = await place.egress.send({
      url: opened.base + path,
      headers: {
        authorization: `Bearer ${opened.token}`,
        accept: 'application/json',
        ...(body && { 'content-type': 'application/json' }),
      },
      startMs,
      ...(body ? { method: 'PUT', body: JSON.stringify(body) } : { method: 'GET' }),
    })
    if (reply.status === 401) access.forget(account)
    return reply.status === 200 ? { reply } : docusignFault(reply)
  }

  const change = async (account: ProviderAccount, path: string, body: object): Promise<Fault | undefined> => {
    const called = await call(account, path, body)
    return 'fault' in called ? called : undefined
  }

  return {
    async read(account, id) {
      const called = await call(account, `/envelopes/${encodeURIComponent(id)}?include=recipients`)
      return 'fault' in called ? called : envelopeIn(objectOf(called.reply))
    },
    void: (account, id, voidedReason) =>
      change(account, `/envelopes/${encodeURIComponent(id)}`, { status: 'voided', voidedReason }),
    // A draft goes to the recycle bin, which DocuSign empties. Other envelopes are voided unless they are final, then
    // purged.
    async discard(account, id) {
      const path = `/envelopes/${encodeURIComponent(id)}`
      const called = await call(account, path)
      if ('fault' in called) return called
      const { status, purgeState = 'unpurged' } = objectOf(called.reply)
      if (status === 'deleted' || purgeState !== 'unpurged') return undefined
      if (status === 'created') return change(account, '/folders/recyclebin', { envelopeIds: [id] })
      const voided = {
        status: 'voided',
        voidedReason: 'The document is no longer needed.',
      }
      const isOver = over.has(String(status))
      const notVoided = isOver ? undefined : await change(account, path, voided)
      return notVoided ?? change(account, path, { purgeState: 'documents_and_metadata_queued' })
    },
    async openFile(account, id) {
      const path = `/envelopes/${encodeURIComponent(id)}/documents/combined`
      if (hasDots.test(path)) return noSuchEnvelope
      const opened = await access.to(account)
      if ('fault' in opened) return opened
      try {
        const { status, body } = await place.egress.stream({
          method: 'GET',
          url: opened.base + path,
          headers: { authorization: `Bearer ${opened.token}`, accept: 'application/pdf' },
          maxBytes: maxFileBytes,
        })
        if (status === 200) return body
        if (status === 401) access.forget(account)
        return docusignFault({ status, failure: null, body: Buffer.from(await beginningOf({ body })) })
      } catch (error) {
        return { fault: 'provider_unavailable', message: error instanceof Error ? error.message : '' }
      }
    },
    async readCallbackUrl(account) {
      const url = {
        expected: `${publicOrigin()}/callbacks/docusign/${account.id}`,
        setting: 'the URL to publish of a Connect configuration that is on',
      }
      const called = await call(account, '/connect')
      // Only an administrator of the account may read it.
      if ('fault' in called)
        return called.fault === 'provider_unavailable' || called.fault === 'credentials_rejected'
          ? called
          : { ...url, actual: null, isUnsaid: true }
      const published = objectsIn(objectOf(called.reply)['configurations']).flatMap(
        ({ urlToPublishTo, allowEnvelopePublish }) =>
          typeof urlToPublishTo === 'string' && String(allowEnvelopePublish) === 'true'
            ? [urlToPublishTo]
            : [],
      )
      return { ...url, actual: published.find((one) => one === url.expected) ?? published[0] ?? null }
    },
    readCallback: (account, callback) =>
      isSigned(account, callback) ? readSubject(callback.body, (subject) => subject) : undefined,
  }
}

/** A URL with such a part leads to another resource than it says. */
const hasDots = /\/\.{1,2}(?![^/?])/

/** Statuses in which an envelope may be purged. */
const over = new Set(['completed', 'declined', 'voided'])

/**
 * Whether one of the account's Connect keys signed the body: Base64 of HMAC-SHA256. DocuSign signs with every key in
 * its configuration, in headers numbered from 1.
 */
function isSigned(account: ProviderAccount, { headers, body }: Callback): boolean {
  const expected = connectKeysOf(account).map((key) =>
    createHmac('sha256', key).update(body).digest('base64'),
  )
  return Object.entries(headers)
    .filter(([name]) => /^x-docusign-signature-\d+$/.test(name))
    .map(([, signature]) => isOneOf(expected, signature ?? ''))
    .includes(true)
}
