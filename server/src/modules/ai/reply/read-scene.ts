import { type Clock, later } from '#kernel/clock.ts'
import type { Ctx } from '#kernel/context.ts'
import type { Db, DirectoryDb } from '#kernel/db/handles.ts'
import { found } from '#kernel/errors.ts'
import { classifyInbound } from '../../compliance/public.ts'
import { type Contact, listContactsById } from '../../contacts/public.ts'
import { type Listing, listingsOnMarket } from '../../listings/public.ts'
import {
  type Message,
  countAiMessages,
  findConversation,
  listMessagesOfContact,
} from '../../messages/public.ts'
import { type Persona, findAiSettings, listPersonasOn } from '../../personas/public.ts'
import { isWithin, localTime } from '../../routing/public.ts'
import { findSender } from '../../senders/public.ts'
import { type WorkspaceRow, findWorkspace } from '../../workspaces/public.ts'

const dayMs = 24 * 3_600_000

/** So many messages are read, newest first. */
const depth = 40

/** What a persona knows when it writes to a contact. */
export interface WritingScene {
  channel: Message['channel']
  /** Null before the first message. */
  conversationId: string | null
  address: string
  contact: Contact
  persona: Persona
  workspace: WorkspaceRow
  /** The last message to or from the contact. */
  last: Message | undefined
  /** Of the contact, on all channels, newest first. */
  messages: readonly Message[]
  listings: readonly Listing[]
  /** Messages of the AI to the contact: ever, within 24 hours, and since the contact last wrote. */
  written: { ever: number; lately: number; unanswered: number }
}

/** A conversation in which the contact has the last word, and the persona that responds. */
export interface ReplyScene extends WritingScene {
  conversationId: string
  last: Message
}

/** Undefined where the AI has nothing to respond to, or must not. */
export async function readScene(ctx: Ctx, conversationId: string): Promise<ReplyScene | undefined> {
  const { db } = ctx
  const conversation = await findConversation(db, conversationId)
  const { contact_id: contactId = null, address = null } = conversation ?? {}
  if (conversation === undefined || contactId === null || address === null) return undefined
  const { channel } = conversation
  const at = ctx.clock.now()
  const [{ contact, ...known }, persona, own] = await Promise.all([
    readContact(ctx, contactId),
    findPersonaFor(db, ctx, channel),
    findSender(db, address, channel),
  ])
  const { messages } = known
  if (contact === undefined || !mayRespondTo(contact) || persona === undefined || own !== undefined)
    return undefined
  const last = openMessageIn(messages)
  if (last === undefined || last.conversation_id !== conversationId || isRepeated(messages)) return undefined
  if (asksForSomething(last)) return undefined
  if (Date.parse(last.created_at) < at.getTime() - dayMs) return undefined
  return { ...known, channel, conversationId, address, contact, persona, last }
}

/** What is known of a contact, for any persona. */
export async function readContact(ctx: Ctx, contactId: string) {
  const { db, clock } = ctx
  const [[contact], messages, written, workspace, listings] = await Promise.all([
    listContactsById(db, [contactId]),
    listMessagesOfContact(db, contactId, depth),
    countAiMessages(db, contactId, later(clock.now(), -dayMs)),
    findWorkspace(ctx.directory, ctx.workspaceId),
    newestOnMarket(db),
  ])
  return { contact, messages, written, workspace: found(workspace), listings }
}

const mostListings = 100

async function newestOnMarket(db: Db): Promise<Listing[]> {
  const newest: Listing[] = []
  for await (const listing of listingsOnMarket(db)) if (newest.push(listing) === mostListings) break
  return newest
}

/** The persona that responds on a channel now: of several the oldest. */
export async function findPersonaFor(
  db: Db,
  { clock, directory }: { clock: Clock; directory: DirectoryDb },
  channel: Message['channel'],
): Promise<Persona | undefined> {
  const [personas, settings] = await Promise.all([listPersonasOn(db, channel), findAiSettings(db)])
  if (personas.length === 0 || !settings.enabled) return undefined
  const { timezone } = found(await findWorkspace(directory, db.workspaceId))
  const local = localTime(clock.now(), timezone)
  return personas.find(
    ({ active_hours: hours }) => hours.length === 0 || hours.some((one) => isWithin(one, local)),
  )
}

export const mayRespondTo = ({ erased_at, ai_auto_response }: Contact): boolean =>
  erased_at === null && ai_auto_response === 'active'

/** The last message, if a person wrote it and no one has responded, a message that waits for approval included. */
function openMessageIn(messages: readonly Message[]): Message | undefined {
  const last = lastOf(messages)
  return last?.direction === 'INBOUND' && !last.automatic && last.erased_at === null ? last : undefined
}

/** The newest of these messages that was not kept from being sent. */
export const lastOf = (messages: readonly Message[]): Message | undefined =>
  messages.find(({ status }) => status !== 'blocked' && status !== 'cancelled')

/** What is for the rules to respond to, such as START. */
const asksForSomething = ({ body }: Message): boolean =>
  classifyInbound(body ?? '', { optedOut: false }).action !== 'none'

/** Only a machine writes the same three times in a row. */
function isRepeated(messages: readonly Message[]): boolean {
  const texts = messages
    .filter(({ direction }) => direction === 'INBOUND')
    .slice(0, 3)
    .map(({ body }) => body?.trim().toLowerCase())
  return texts.length === 3 && new Set(texts).size === 1
}
