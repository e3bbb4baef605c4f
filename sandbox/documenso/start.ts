import { randomUUID } from 'node:crypto'
import type { Calls } from '../calls.ts'
import type { MessageLog } from '../message-log.ts'
import { type CarrierRequest, type Served, json, notFound } from '../served.ts'
import {
  type SimulatedEnvelope,
  type SimulatedRecipient,
  envelopeOf,
  envelopeOfItem,
  newEnvelopeId,
  newRecipient,
  templatesOf,
} from './envelopes.ts'
import { signPage } from './sign-page.ts'
import { signedPdf } from './write-pdf.ts'

/** How many of the latest envelopes to keep. */
const maxEnvelopes = 10_000

const timeoutMs = 10_000

/** Pauses before retries: Documenso retries a failed webhook. */
const pausesMs = [500, 2_000, 10_000]

interface Options {
  calls: Calls
  log: MessageLog
  now: () => Date
  /** http://host:port, known once the server listens. */
  origin: () => string
  /** The path under which the pages' style sheet is served. */
  styleRoot: string
}

type Body = Record<string, unknown>

const failure = (status: number, code: string) => json(status, { message: code.toLowerCase(), code })

/**
 * Documenso's API v2 for envelopes from templates, with a signing page for each recipient. Any API token is an account.
 * `POST /api/v2/simulated/webhook` sets the webhook URL and secret, which a person would set on Documenso's own pages. `GET` returns the URL.
 */
export function documensoApi({ calls, log, now, origin, styleRoot }: Options) {
  const envelopes = new Map<string, SimulatedEnvelope>()
  const webhooks = new Map<string, { url: string; secret: string }>()

  function keep(envelope: SimulatedEnvelope): void {
    envelopes.set(envelope.id, envelope)
    if (envelopes.size <= maxEnvelopes) return
    const [oldest] = envelopes.keys()
    if (oldest !== undefined) envelopes.delete(oldest)
  }

  function report(event: string, envelope: SimulatedEnvelope): void {
    const webhook = webhooks.get(envelope.account)
    if (webhook === undefined) return
    const payload = { ...envelopeOf(envelope), id: 1, envelopeId: envelope.id }
    const body = JSON.stringify({
      event,
      payload,
      createdAt: now().toISOString(),
      webhookEndpoint: webhook.url,
    })
    const headers = { 'content-type': 'application/json', 'x-documenso-secret': webhook.secret }
    calls.run(async () => {
      for (const pauseMs of [...pausesMs, undefined]) {
        const called = await calls.send(webhook.url, { method: 'POST', headers, body, timeoutMs })
        if (pauseMs === undefined || (typeof called !== 'string' && called.status < 300)) return
        await calls.pause(pauseMs)
      }
    })
  }

  /** Delivers Documenso's signature request to the handset of the recipient's address. */
  function mail({ account, title }: SimulatedEnvelope, { email, token }: SimulatedRecipient): void {
    const at = now()
    log.add({
      id: randomUUID(),
      account,
      direction: 'outbound',
      from: 'documenso@simulated.example',
      to: email.toLowerCase(),
      subject: `Please sign: ${title}`,
      body: `You are asked to sign a document: ${origin()}/sign/${token}`,
      status: 'delivered',
      errorCode: null,
      createdAt: at,
      sentAt: at,
    })
  }

  function use(account: string, { envelopeId, externalId, recipients, override }: Body): Served {
    const template = templatesOf(account, now().toISOString()).find(({ id }) => id === envelopeId)
    if (template === undefined) return failure(404, 'NOT_FOUND')
    const given = new Map(
      (Array.isArray(recipients) ? (recipients as Body[]) : []).map((one) => [Number(one['id']), one]),
    )
    if (template.recipients.some(({ id }) => typeof given.get(id)?.['email'] !== 'string'))
      return failure(400, 'INVALID_BODY')
    const { title } = (override ?? {}) as Body
    const envelope: SimulatedEnvelope = {
      ...template,
      id: newEnvelopeId(),
      type: 'DOCUMENT',
      title: typeof title === 'string' && title !== '' ? title : template.title,
      externalId: typeof externalId === 'string' ? externalId : null,
      recipients: template.recipients.map(({ id, signingOrder }) => ({
        ...newRecipient({
          id: id + 100,
          name: String(given.get(id)?.['name'] ?? ''),
          email: String(given.get(id)?.['email']),
          signingOrder,
        }),
      })),
    }
    keep(envelope)
    report('DOCUMENT_CREATED', envelope)
    const shown = envelope.recipients.map(({ token, ...one }) => ({
      ...one,
      signingUrl: `${origin()}/sign/${token}`,
    }))
    return json(200, { id: envelope.id, recipients: shown })
  }

  function distribute(envelope: SimulatedEnvelope): Served {
    envelope.status = 'PENDING'
    for (const recipient of envelope.recipients) {
      recipient.sendStatus = 'SENT'
      mail(envelope, recipient)
    }
    report('DOCUMENT_SENT', envelope)
    return json(200, { success: true, id: envelope.id })
  }

  function cancel(envelope: SimulatedEnvelope): Served {
    if (envelope.status !== 'PENDING') return failure(400, 'INVALID_REQUEST')
    envelope.status = 'CANCELLED'
    envelope.completedAt = now().toISOString()
    report('DOCUMENT_CANCELLED', envelope)
    return json(200, { success: true })
  }

  function restore(account: string, { id, title, status, completedAt, recipients }: Body): Served {
    if (typeof id !== 'string' || envelopes.has(id)) return json(200, { success: true })
    const envelope: SimulatedEnvelope = {
      id,
      account,
      type: 'DOCUMENT',
      status: status === 'DRAFT' || status === 'COMPLETED' ? status : 'PENDING',
      title: String(title),
      externalId: null,
      createdAt: now().toISOString(),
      completedAt: typeof completedAt === 'string' ? completedAt : null,
      recipients: (recipients as SimulatedRecipient[]).map((one, i) => ({
        ...newRecipient({ ...one, signingOrder: i + 1 }),
        ...one,
        sendStatus: 'SENT',
      })),
    }
    keep(envelope)
    for (const one of envelope.recipients) if (one.signingStatus === 'NOT_SIGNED') mail(envelope, one)
    return json(200, { success: true })
  }

  function post(account: string, action: string, body: Body): Served {
    if (action === 'simulated/webhook') {
      webhooks.set(account, { url: String(body['url']), secret: String(body['secret']) })
      return json(200, { success: true })
    }
    if (action === 'simulated/envelope') return restore(account, body)
    if (action === 'envelope/use') return use(account, body)
    const envelope = envelopes.get(String(body['envelopeId']))
    if (envelope?.account !== account) return failure(404, 'NOT_FOUND')
    if (action === 'envelope/distribute') return distribute(envelope)
    if (action === 'envelope/cancel') return cancel(envelope)
    if (action !== 'envelope/delete') return notFound
    envelopes.delete(envelope.id)
    return json(200, { success: true })
  }

  /** `/api/v2/…` */
  function api({ method, path: [, , ...rest], query, headers, body }: CarrierRequest): Served {
    const account = (headers.authorization ?? '').replace(/^Bearer /, '')
    // Reject browser requests: a page of another site must not act as a program on this machine.
    if (headers.origin !== undefined || account === '') return failure(401, 'UNAUTHORIZED')
    if (method === 'POST') {
      const given = objectIn(body)
      return given === undefined ? failure(400, 'INVALID_BODY') : post(account, rest.join('/'), given)
    }
    if (rest.join('/') === 'simulated/webhook') return json(200, { url: webhooks.get(account)?.url ?? null })
    const templates = templatesOf(account, now().toISOString())
    if (rest.join('/') === 'envelope')
      return json(200, {
        data: query.get('type') === 'TEMPLATE' ? templates.map(envelopeOf) : [],
        count: templates.length,
      })
    const isItem = rest[1] === 'item' && rest[3] === 'download'
    const id = isItem ? envelopeOfItem(rest[2] ?? '') : rest[1]
    const envelope = [...templates, envelopes.get(id ?? '')].find((one) => one?.id === id)
    if (envelope?.account !== account) return failure(404, 'NOT_FOUND')
    if (!isItem) return json(200, envelopeOf(envelope))
    return { status: 200, headers: { 'content-type': 'application/pdf' }, body: signedPdf(envelope) }
  }

  /** `/sign/{token}`: a recipient's page. Viewing it marks the document as opened. */
  function sign({ method, path: [, token = ''], form }: CarrierRequest): Served {
    for (const envelope of envelopes.values()) {
      const me = envelope.recipients.find((one) => one.token === token)
      if (me === undefined) continue
      if (method === 'POST' && envelope.status === 'PENDING' && me.signingStatus === 'NOT_SIGNED')
        return act(envelope, me, form.get('action') ?? '')
      if (me.readStatus === 'NOT_OPENED' && envelope.status === 'PENDING') {
        me.readStatus = 'OPENED'
        report('DOCUMENT_OPENED', envelope)
      }
      return signPage(styleRoot, envelope, me)
    }
    return notFound
  }

  function act(envelope: SimulatedEnvelope, me: SimulatedRecipient, action: string): Served {
    const at = now().toISOString()
    me.readStatus = 'OPENED'
    if (action === 'reject') {
      me.signingStatus = 'REJECTED'
      me.rejectionReason = 'Declined'
      envelope.status = 'REJECTED'
      report('DOCUMENT_REJECTED', envelope)
    } else {
      me.signingStatus = 'SIGNED'
      me.signedAt = at
      report('DOCUMENT_SIGNED', envelope)
      if (envelope.recipients.every(({ signingStatus }) => signingStatus === 'SIGNED')) {
        envelope.status = 'COMPLETED'
        envelope.completedAt = at
        report('DOCUMENT_COMPLETED', envelope)
      }
    }
    return { status: 303, headers: { location: `/sign/${me.token}` }, body: '' }
  }

  return { api, sign }
}

/** The JSON object in a body, or in the form part `payload`. */
function objectIn(body: string): Body | undefined {
  const [, payload] = /name="payload"\r\n(?:[^\r\n]+\r\n)*\r\n(.*?)\r\n--/s.exec(body) ?? []
  try {
    const value: unknown = JSON.parse(payload ?? body)
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}
