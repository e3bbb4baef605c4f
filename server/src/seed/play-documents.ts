import { createHash } from 'node:crypto'
import { later } from '#kernel/clock.ts'
import { findContact } from '../modules/contacts/public.ts'
import {
  type DocumentRow,
  createDocument,
  recordProviderDocument,
  recordProgress,
} from '../modules/documents/public.ts'
import type { Kind } from './cast/household.ts'
import { dayMs } from './diary.ts'
import type { Scene, Thread } from './scene.ts'

/**
 * When clients are asked to sign, in days before the end, and what they do. Those who wait get the document when the
 * server starts.
 */
const requests: readonly (readonly [daysAgo: number, outcome: 'signed' | 'declined' | 'waits'])[] = [
  [16, 'signed'],
  [11, 'signed'],
  [8, 'declined'],
  [3, 'waits'],
  [2, 'waits'],
  [1, 'waits'],
]

/** Templates of the simulated Documenso. */
const agreements: Readonly<Partial<Record<Kind, readonly [template: string, title: string]>>> = {
  buyer: ['envelope_buyerrepresenta', 'Buyer representation agreement'],
  investor: ['envelope_buyerrepresenta', 'Buyer representation agreement'],
  seller: ['envelope_listingagreemen', 'Listing agreement'],
}

/** Schedules requests to recent clients to sign an agreement with the brokerage. */
export function playDocuments(scene: Scene, end: Date): void {
  const asked = new Set<Thread>()
  for (const [daysAgo, outcome] of requests)
    scene.agenda.add(new Date(end.getTime() - daysAgo * dayMs + 17 * 3_600_000), async () => {
      const thread = await findClient(scene, asked)
      if (thread === undefined) return
      asked.add(thread)
      const document = await request(scene, thread)
      if (document !== undefined && outcome !== 'waits') await respond(scene, thread, document, outcome)
    })
}

/** The latest client with an open deal and an email address who has not been asked yet. */
async function findClient(scene: Scene, asked: ReadonlySet<Thread>): Promise<Thread | undefined> {
  for (const thread of scene.threads.toReversed()) {
    const { deal, agent, household, contactId } = thread
    if (deal === undefined || agent?.until !== null || asked.has(thread)) continue
    if (agreements[household.kind] === undefined) continue
    const { email = null } = (await findContact(scene.as(agent.actor).db, contactId)) ?? {}
    if (email !== null) return thread
  }
  return undefined
}

async function request(
  scene: Scene,
  { deal, agent, household, contactId, name }: Thread,
): Promise<DocumentRow | undefined> {
  const [template_id, title] = agreements[household.kind] ?? []
  if (deal === undefined || agent === undefined || template_id === undefined) return undefined
  return createDocument(scene.as(agent.actor), {
    template_id,
    title: `${title}, ${name}`,
    deal_id: deal.id,
    signers: [{ contact_id: contactId }],
  })
}

/**
 * The signer opens the document within hours and signs or declines a day later. Records what the provider would have
 * reported.
 */
async function respond(
  scene: Scene,
  { agent }: Thread,
  { id, title, signers }: DocumentRow,
  outcome: 'signed' | 'declined',
): Promise<void> {
  if (agent === undefined) return
  const ctx = scene.as(agent.actor)
  const sentAt = scene.now()
  const report = (status: 'sent' | 'viewed' | typeof outcome, at: Date) => {
    const signedAt = status === 'signed' ? at.toISOString() : null
    return recordProgress(ctx, id, {
      title: title ?? '',
      status,
      signers: signers.map(({ name, email, role }, i) => ({
        providerSignerId: String(i + 101),
        name: name ?? '',
        email: email ?? '',
        role: role ?? '',
        status,
        signedAt,
      })),
      sentAt: sentAt.toISOString(),
      completedAt: signedAt,
    })
  }
  await recordProviderDocument(
    ctx,
    id,
    `envelope_${createHash('sha256').update(id).digest('hex').slice(0, 16)}`,
  )
  await report('sent', sentAt)
  const reports = [
    ['viewed', 3],
    [outcome, 26],
  ] as const
  for (const [status, hours] of reports) {
    const at = later(sentAt, hours * 3_600_000)
    scene.agenda.add(at, () => report(status, at))
  }
}
