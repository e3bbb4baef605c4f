import type { Clock } from '#kernel/clock.ts'
import type { Fault, ProviderAccount, SignatureProvider } from '../../modules/documents/ports.ts'
import { callbackReader } from '../callback-body.ts'
import { isOneOf } from '../compare.ts'
import { beginningOf, objectOf, objectsIn } from '../replies.ts'
import { documensoSubject } from './callback-subject.ts'
import {
  type DocumensoPlace,
  callDocumenso,
  downloadFromDocumenso,
  faultOf,
  isSuccess,
  webhookSecretsOf,
} from './documenso-api.ts'
import { fillTemplate, recipientNames } from './fill-template.ts'
import { documentIn, itemsIn } from './read-envelope.ts'
import { callbackUrlOf, connectSimulated, restoreSimulated } from './simulated.ts'

const readSubject = callbackReader(documensoSubject, import.meta.resolve('./callback-subject.ts'))

export interface DocumensoOptions extends DocumensoPlace {
  clock: Clock
  /** This server's public address, for Documenso's callbacks. */
  origin: () => string
}

/**
 * Documents as envelopes in Documenso's API v2. An account's name is only for people; its token identifies the team.
 */
export function documensoProvider({ clock, origin, ...place }: DocumensoOptions): SignatureProvider {
  /** Reads an envelope by ID, whether a document or a template. */
  async function read(account: ProviderAccount, id: string, missing: Fault['fault']) {
    const reply = await callDocumenso(place, account, `/envelope/${encodeURIComponent(id)}`)
    return isSuccess(reply) ? { envelope: objectOf(reply) } : faultOf(reply, missing)
  }

  const post = async (account: ProviderAccount, path: string, body: object): Promise<Fault | undefined> => {
    const reply = await callDocumenso(place, account, path, body)
    return isSuccess(reply) ? undefined : faultOf(reply, 'document_not_found')
  }

  return {
    async prepare(account, { documentId, templateId, title, signers }) {
      if (account.simulated) await connectSimulated(place, account, origin())
      const template = await read(account, templateId, 'template_not_found')
      if ('fault' in template) return template
      if (template.envelope['type'] !== 'TEMPLATE')
        return {
          fault: 'template_not_found',
          message: 'Documenso has a document with this ID, but no template.',
        }
      const recipients = fillTemplate(template.envelope, signers)
      if ('fault' in recipients) return recipients
      const draft = {
        envelopeId: templateId,
        externalId: documentId,
        recipients,
        distributeDocument: false,
        ...(title === null ? {} : { override: { title } }),
      }
      const reply = await callDocumenso(place, account, '/envelope/use', draft, { multipart: true })
      if (!isSuccess(reply)) return faultOf(reply, 'template_not_found')
      const { id } = objectOf(reply)
      return typeof id === 'string' ? { providerDocumentId: id } : unreadable
    },
    async send(account, id) {
      const found = await read(account, id, 'document_not_found')
      if ('fault' in found) return found
      return found.envelope['status'] === 'DRAFT'
        ? post(account, '/envelope/distribute', { envelopeId: id })
        : undefined
    },
    discard: (account, id) => post(account, '/envelope/delete', { envelopeId: id }),
    async read(account, id) {
      const found = await read(account, id, 'document_not_found')
      if ('fault' in found) return found
      return found.envelope['type'] === 'DOCUMENT'
        ? documentIn(found.envelope, clock.now())
        : { fault: 'document_not_found', message: 'Documenso has a template with this ID, but no document.' }
    },
    void: (account, id, reason) => post(account, '/envelope/cancel', { envelopeId: id, reason }),
    async openFile(account, id) {
      const found = await read(account, id, 'document_not_found')
      if ('fault' in found) return found
      const [item] = itemsIn(found.envelope)
      if (item === undefined) return unreadable
      const path = `/envelope/item/${encodeURIComponent(item)}/download?version=signed`
      try {
        const { status, body } = await downloadFromDocumenso(place, account, path)
        if (isSuccess({ status })) return body
        const said = Buffer.from(await beginningOf({ body }))
        return faultOf({ status, failure: null, body: said }, 'document_not_found')
      } catch (error) {
        return { fault: 'provider_unavailable', message: error instanceof Error ? error.message : '' }
      }
    },
    async listTemplates(account) {
      const reply = await callDocumenso(place, account, '/envelope?type=TEMPLATE&perPage=50')
      if (!isSuccess(reply)) return faultOf(reply, 'rejected')
      return objectsIn(objectOf(reply)['data']).flatMap((template) =>
        typeof template['id'] === 'string'
          ? [{ id: template['id'], title: String(template['title']), recipients: recipientNames(template) }]
          : [],
      )
    },
    readCallback: (account, { headers, body }) =>
      isOneOf(webhookSecretsOf(account), headers['x-documenso-secret'] ?? '')
        ? readSubject(body, (subject) => subject)
        : undefined,
    async readCallbackUrl(account) {
      const url = { expected: callbackUrlOf(account, origin()), setting: 'a webhook for all document events' }
      // A real Documenso shows webhooks on its pages only.
      if (!account.simulated) return { ...url, actual: null, isUnsaid: true }
      const reply = await callDocumenso(place, account, '/simulated/webhook')
      if (!isSuccess(reply)) return faultOf(reply, 'rejected')
      const { url: actual } = objectOf(reply)
      return { ...url, actual: typeof actual === 'string' ? actual : null }
    },
    restore: async (account, id, document) => {
      await connectSimulated(place, account, origin())
      await restoreSimulated(place, account, id, document)
    },
  }
}

const unreadable: Fault = {
  fault: 'provider_unavailable',
  message: 'The response of Documenso is not an envelope.',
}
