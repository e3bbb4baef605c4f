import { type Clock, later } from '#kernel/clock.ts'
import { isWithin, localTime } from '#kernel/conditions/hours.ts'
import type { Ctx } from '#kernel/context.ts'
import type { Db, DirectoryDb } from '#kernel/db/handles.ts'
import { orNotFound } from '#kernel/errors.ts'
import { classifyInbound } from '../../compliance/public.ts'
import { type Contact, listContactsById } from '../../contacts/public.ts'
import { type Listing, listingsOnMarket } from '../../listings/public.ts'
import {
  type Message,
  countAiMessages,
  findConversation,
  isWithoutWords,
  listVerifiedOfContact,
} from '../../messages/public.ts'
import { type Persona, findAiSettings, findFormerPersona, listPersonasOn } from '../../personas/public.ts'
import { findSender } from '../../senders/public.ts'
import { type WorkspaceRow, findWorkspace } from '../../workspaces/public.ts'

const dayMs = 24 * 3_600_000

/** How many messages to read, newest first. */
export const depth = 40

/** What is known when a persona writes to a contact. */
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
  /** The contact's messages on all channels, newest first. */
  messages: readonly Message[]
  listings: readonly Listing[]
  /**
   * Counts of AI messages to the contact: all that arrived, those written within 24 hours, and those written since the
   * contact last wrote.
   */
  written: { ever: number; lately: number; unanswered: number }
}

/** A conversation in which the contact has the last word, and the persona that responds. */
export interface ReplyScene extends WritingScene {
  conversationId: string
  last: Message
  /** When the contact wrote `last`, as far as the provider reports it. */
  writtenAt: Date
  /** True if no persona is on now. `persona` is then the one that was on, and the only option is a handoff. */
  isOff: boolean
}

/**
 * Reads what a response needs. Returns undefined if there is nothing to respond to, or the AI must not respond.
 * `formerId` is the persona that was on when the message came, to use if none is on now.
 */
export async function readScene(
  ctx: Ctx,
  conversationId: string,
  formerId?: string,
): Promise<ReplyScene | undefined> {
  const { db } = ctx
  const conversation = await findConversation(db, conversationId)
  const { contact_id: contactId = null, address = null } = conversation ?? {}
  if (conversation === undefined || contactId === null || address === null) return undefined
  const { channel, last_inbound_at } = conversation
  const [{ contact, ...known }, present, own] = await Promise.all([
    readContact(ctx, contactId),
    findPersonaFor(db, ctx, channel),
    findSender(db, address, channel),
  ])
  if (contact === undefined || !mayRespondTo(contact) || own !== undefined) return undefined
  const last = openMessageIn(known.messages)
  if (last === undefined || last.conversation_id !== conversationId || asksForSomething(last, known.messages))
    return undefined
  const persona = present ?? (formerId === undefined ? undefined : await findFormerPersona(db, formerId))
  if (persona === undefined) return undefined
  const isOff = present === undefined
  // `last_inbound_at` is about the contact's own messages; an email by another author keeps its own time.
  const writtenAt = new Date(last.from === address ? (last_inbound_at ?? last.created_at) : last.created_at)
  return { ...known, channel, conversationId, address, contact, persona, last, writtenAt, isOff }
}

/** What is known about a contact, regardless of persona. */
export async function readContact(ctx: Ctx, contactId: string) {
  const { db, clock } = ctx
  const [[contact], messages, written, workspace, listings] = await Promise.all([
    listContactsById(db, [contactId]),
    listVerifiedOfContact(db, contactId, depth),
    countAiMessages(db, contactId, later(clock.now(), -dayMs)),
    findWorkspace(ctx.directory, ctx.workspaceId),
    newestOnMarket(db),
  ])
  return { contact, messages, written, workspace: orNotFound(workspace), listings }
}

const mostListings = 100

async function newestOnMarket(db: Db): Promise<Listing[]> {
  const newest: Listing[] = []
  for await (const listing of listingsOnMarket(db)) if (newest.push(listing) === mostListings) break
  return newest
}

/** The persona that responds on a channel now; the oldest if there are several. */
export async function findPersonaFor(
  db: Db,
  { clock, directory }: { clock: Clock; directory: DirectoryDb },
  channel: Message['channel'],
): Promise<Persona | undefined> {
  const [personas, settings] = await Promise.all([listPersonasOn(db, channel), findAiSettings(db)])
  if (personas.length === 0 || !settings.enabled) return undefined
  const { timezone } = orNotFound(await findWorkspace(directory, db.workspaceId))
  const local = localTime(clock.now(), timezone)
  return personas.find(
    ({ active_hours: hours }) => hours.length === 0 || hours.some((one) => isWithin(one, local)),
  )
}

export const mayRespondTo = ({ erased_at, ai_auto_response }: Contact): boolean =>
  erased_at === null && ai_auto_response === 'active'

/** The last word, if it is the contact's. A response that is waiting for approval counts as given. */
function openMessageIn(messages: readonly Message[]): Message | undefined {
  const last = lastOf(messages)
  return last?.direction === 'INBOUND' && last.erased_at === null ? last : undefined
}

/** The newest message that is the contact's or responds to them, and that was not blocked, cancelled, or lost. */
export const lastOf = (messages: readonly Message[]): Message | undefined => messages.find(isWord)

/** Like `lastOf`, but includes messages that the AI wrote on its own initiative. */
export const lastWrittenOf = (messages: readonly Message[]): Message | undefined =>
  messages.find((one) => isWord(one) || (one.source === 'ai' && !lost.has(one.status)))

/**
 * Whether a message counts as a word in the conversation. Messages by automations, campaigns, digests, and the system
 * don't: they respond to nothing that a contact asked.
 */
const isWord = (message: Message): boolean => {
  const { direction, status, source, automatic, purpose } = message
  if (direction === 'INBOUND') return !automatic && !isWithoutWords(message)
  return !lost.has(status) && (people.has(source) || (source === 'ai' && purpose === 'reply'))
}

const lost: ReadonlySet<Message['status']> = new Set(['blocked', 'cancelled', 'failed', 'undelivered'])
const people: ReadonlySet<Message['source']> = new Set(['user', 'api'])

/** Whether the fixed rules handle the message, such as START. */
const asksForSomething = ({ body }: Message, messages: readonly Message[]): boolean => {
  const ours = messages.filter(({ direction }) => direction === 'OUTBOUND').flatMap((one) => one.body ?? [])
  return classifyInbound(body ?? '', { optedOut: false, ours }).action !== 'none'
}

const repeatedMs = 10 * 60_000

/** Whether the contact has written the same text three times within ten minutes without a response. */
export function isRepeated({ messages, conversationId }: ReplyScene): boolean {
  const words = messages.filter((one) => isWord(one) && one.conversation_id === conversationId)
  const responded = words.findIndex(({ direction }) => direction === 'OUTBOUND')
  const [last, second, third] = words.slice(0, responded === -1 ? undefined : responded)
  if (last === undefined || second === undefined || third === undefined) return false
  const texts = [last, second, third].map(({ body }) => body?.trim().toLowerCase())
  const ms = Date.parse(last.created_at) - Date.parse(third.created_at)
  return new Set(texts).size === 1 && ms <= repeatedMs
}
