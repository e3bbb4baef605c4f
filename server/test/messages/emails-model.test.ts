import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { messageIdHeader } from '../../src/modules/messages/email/tokens.ts'
import { createSender } from '../../src/modules/senders/public.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { type Emailing, office, ownServer, startEmailing } from '../support/emailing.ts'
import { idOf } from '../support/fixtures.ts'

const team = 'team@lantern.example'
const start = '2026-03-02T18:00:00.000Z'

let app: TestApp
let mail: Emailing
let histories = 0

beforeAll(async () => {
  app = await testApp({ now: start })
  mail = await startEmailing(app)
  await createSender(mail.workspace.ctx, {
    connection_id: mail.connectionId,
    kind: 'email',
    address: team,
    pace: 1000,
    registration: { domain_authenticated: true },
  })
})
afterAll(() => app[Symbol.asyncDispose]())

/** A contact with one of three addresses, and how it has it: as its own, from a lead, as a double, or no more. */
interface Known {
  id: string
  address: number
  has: 'own' | 'lead' | 'double' | undefined
  ownedBy: 'agent' | undefined
  changedAt: number
}

interface Conversation {
  sender: string
  address: string
  id: string
  contact: string | null
  /** When its person last wrote, as far as that is proven. */
  writtenAt: number | undefined
}

/** An email of ours, and what leads back to it. */
interface Sent extends Awaited<ReturnType<Emailing['sent']>> {
  sender: string
  to: string
  contact: string | null
  conversation: Conversation
}

const which = fc.nat(7)
/** Where the addresses of an email are, in the order in which they count. */
const headers = ['Delivered-To', 'X-Original-To', 'To', 'Cc'] as const
const deed = fc.record({
  what: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('write', 'receive', 'receive') },
    { weight: 1, arbitrary: fc.constantFrom('an admin adds a contact', 'an agent adds a contact', 'a lead') },
    { weight: 1, arbitrary: fc.constantFrom('gives it up', 'has it again', 'erase') },
  ),
  address: fc.nat(2),
  who: which,
  sender: fc.constantFrom(office, team),
  to: fc.array(
    fc.record({
      way: fc.constantFrom('reply', 'bounce', 'forged', 'office', 'team', 'tag', 'copy', 'other'),
      header: fc.constantFrom(...headers),
      of: which,
    }),
    { minLength: 1, maxLength: 2 },
  ),
  inReplyTo: fc.option(which, { freq: 2 }),
  references: fc.array(which, { maxLength: 3 }),
  verified: fc.boolean(),
})
const deeds = fc.array(deed, { minLength: 10, maxLength: 20 })
type Deed = typeof deed extends fc.Arbitrary<infer T> ? T : never

async function live(history: readonly Deed[]): Promise<void> {
  const { agent, workspace } = mail
  const n = histories++
  app.clock.set(new Date(Date.parse(start) + n * 3_600_000))
  const colleague = await workspace.keyFor((await workspace.member()).id)
  const addresses = [0, 1, 2].map((one) => `sam-${n}-${one}@reyes.example`)
  const addressOf = (one: number) => String(addresses[one])
  const contacts: Known[] = []
  const conversations: Conversation[] = []
  const sent: Sent[] = []
  /** The Message-IDs of what may be referred to: our emails, and received ones as if they were ours. */
  const named: { header: string; sent: Sent | undefined }[] = []
  const now = () => app.clock.now().getTime()
  const add = async (client: typeof agent, address: number, known: Pick<Known, 'has' | 'ownedBy'>) =>
    contacts.push({
      id: idOf(await client.post('/contacts', { email: addressOf(address) })),
      address,
      changedAt: now(),
      ...known,
    })

  /** Those who may hold one of these addresses: who has it of their own, else from a lead, else the oldest double. */
  const holders = (of: readonly string[]): Known[] => {
    const by = Map.groupBy(
      contacts.filter(({ address }) => of.includes(addressOf(address))),
      ({ has }) => has,
    )
    return by.get('own') ?? by.get('lead') ?? by.get('double')?.slice(0, 1) ?? []
  }

  /** The holder; in a household, whose the thread is, else whom the sender last wrote to, else who changed last. */
  function belongsTo(of: readonly string[], sender: string, thread: string | null): string | undefined {
    const all = holders(of)
    const isOne = (id: string | null) => all.some((one) => one.id === id)
    if (isOne(thread)) return thread ?? undefined
    const last = sent.findLast((one) => one.sender === sender && of.includes(one.to) && isOne(one.contact))
    return last?.contact ?? all.toSorted((a, b) => b.changedAt - a.changedAt)[0]?.id
  }

  function turn(sender: string, address: string, contact: string | null, id: string): Conversation {
    const known = conversations.find((one) => one.sender === sender && one.address === address)
    const conversation = known ?? { sender, address, contact, id, writtenAt: undefined }
    if (known === undefined) conversations.push(conversation)
    conversation.contact ??= contact
    expect(conversation.id).toBe(id)
    return conversation
  }

  /** A conversation is erased with its contact; one of no contact, with who has or had its address, unless others have it rather. */
  const isErasedWith = ({ id, address, has }: Known, conversation: Conversation) => {
    const ofThem = has === undefined ? ['own', 'double', 'lead'] : ['own', 'double']
    const rather: string[] = has === 'own' || has === 'double' ? [] : ofThem
    const isElsewhere = contacts.some((one) => one.address === address && rather.includes(one.has ?? ''))
    const isTheirs = conversation.contact === null && conversation.address === addressOf(address)
    return conversation.contact === id || (isTheirs && !isElsewhere)
  }

  const isThere = ({ conversation }: Sent) => conversations.includes(conversation)

  async function receive({ address, to, inReplyTo, references, verified }: Deed, words: string) {
    const author = addressOf(address)
    const of = (one: number) => sent[one % sent.length]
    const ways = to
      .toSorted((a, b) => headers.indexOf(a.header) - headers.indexOf(b.header))
      .map(({ way, header, of: one }) => ({
        way: of(one) === undefined ? 'office' : way,
        header,
        of: of(one),
      }))
    const recipients = ways.map(({ way, of: one }) => {
      if (way === 'reply') return one?.replyTo
      if (way === 'bounce') return one?.bounceTo
      if (way === 'forged') return one?.replyTo.replace(/.@/, (end) => (end === '0@' ? '1@' : '0@'))
      if (way === 'tag') return office.replace('@', '+news@')
      return { office, team, copy: 'list@elsewhere.example', other: 'info@lantern.example' }[way]
    })
    const id = (one: number) => named[one % named.length]
    const response = inReplyTo === null ? undefined : id(inReplyTo)
    const further = references.flatMap((one) => id(one) ?? [])
    // The nearest first: what the email responds to, then its references, the last one first.
    const ours = [response, ...further.toReversed()].flatMap((one) => one?.sent ?? [])
    const arrivedAt = now()
    await mail.receive(
      {
        From: author,
        To: 'list@elsewhere.example',
        ...Object.fromEntries(
          headers.flatMap((name) => {
            const there = recipients.filter((_, place) => ways[place]?.header === name)
            return there.length === 0 ? [] : [[name, there.join(', ')]]
          }),
        ),
        Subject: 'Re: Your viewing',
        ...(response !== undefined && { 'In-Reply-To': response.header }),
        ...(further.length > 0 && { References: further.map(({ header }) => header).join(' ') }),
        ...(!verified && { 'Authentication-Results': `${ownServer}; dmarc=fail` }),
      },
      words,
    )

    const token = ways.find(({ way, of: one }) => ['reply', 'bounce'].includes(way) && one && isThere(one))
    const thread = (token?.of ?? ours.find(isThere))?.conversation
    const isProven = token?.way === 'reply'
    const toSender = ways.flatMap(({ way, of: one }) => {
      if (way === 'office' || way === 'tag') return office
      if (way === 'team') return team
      return ['reply', 'bounce', 'forged'].includes(way) ? (one?.sender ?? []) : []
    })
    const tokens = ways.flatMap(({ way, of: one }) =>
      ['reply', 'bounce'].includes(way) ? (one?.sender ?? []) : [],
    )
    const copy = ways.every(({ way }) => way === 'copy') ? office : undefined
    const sender = thread?.sender ?? tokens[0] ?? toSender[0] ?? copy
    const { data } = (await agent.get('/messages?direction=INBOUND&limit=200')).body
    const message = data.find((one: { body: string }) => one.body === words)
    if (sender === undefined) return expect(message).toBeUndefined()
    const points = isProven ? [author, String(thread?.address)] : [author]
    const contact = belongsTo(points, sender, thread?.contact ?? null) ?? thread?.contact ?? null
    const isAutomatic = ways.some(({ way }) => way === 'bounce')
    const isVerified = verified || isProven || ours.some((one) => one.to === author)
    expect(message, words).toMatchObject({
      contact_id: contact,
      to: sender,
      automatic: isAutomatic,
      sender_verified: isVerified,
      reply_to_message_id: ours.find((one) => one.conversation === thread)?.id ?? null,
    })
    const conversation = turn(sender, thread?.address ?? author, contact, message.conversation_id)
    // Without our token, nothing proves that another address is the person's.
    if (!isAutomatic && isVerified && (isProven || conversation.address === author))
      conversation.writtenAt = arrivedAt
    const shown = (await agent.get(`/conversations/${conversation.id}`)).body
    expect([shown['contact_id'], Date.parse(shown['last_inbound_at'])]).toEqual([
      conversation.contact,
      conversation.writtenAt ?? Number.NaN,
    ])
    named.push({ header: messageIdHeader(message.id, sender), sent: undefined })
  }

  for (const [place, one] of history.entries()) {
    app.clock.advance(60_000)
    const { what, address, who, sender } = one
    const contact = contacts[who % contacts.length]
    if (what === 'an admin adds a contact') await add(agent, address, { has: 'own', ownedBy: undefined })
    else if (what === 'an agent adds a contact') {
      const [holder] = holders([addressOf(address)])
      const has = holder !== undefined && holder.ownedBy !== 'agent' ? 'double' : 'own'
      await add(colleague, address, { has, ownedBy: 'agent' })
    } else if (what === 'gives it up' && (contact?.has === 'own' || contact?.has === 'double')) {
      await agent.patch(`/contacts/${contact.id}`, { email: null })
      Object.assign(contact, { has: undefined, changedAt: now() })
    } else if (what === 'has it again' && contact !== undefined && contact.has === undefined) {
      await agent.patch(`/contacts/${contact.id}`, { email: addressOf(contact.address) })
      Object.assign(contact, { has: 'own', changedAt: now() })
    } else if (what === 'a lead' && contact?.has === undefined && contact !== undefined) {
      // The lead is found by the number, and the contact keeps its other address.
      const email = addressOf(contact.address)
      if (holders([email]).length > 0) continue
      const phone = `+1312555${String(1000 + n * 20 + place).slice(-4)}`
      await agent.patch(`/contacts/${contact.id}`, { email: `kept-${n}-${place}@reyes.example`, phone })
      const lead = { phone, email, source: 'Website', skip_routing: true }
      expect((await agent.post('/leads', lead)).body['contact_id']).toBe(contact.id)
      Object.assign(contact, { has: 'lead', changedAt: now() })
    } else if (what === 'erase' && contact !== undefined) {
      await agent.delete(`/contacts/${contact.id}`)
      contacts.splice(contacts.indexOf(contact), 1)
      const gone = conversations.filter((known) => isErasedWith(contact, known))
      for (const known of gone) conversations.splice(conversations.indexOf(known), 1)
      for (const email of sent)
        if (email.contact === contact.id || (email.contact === null && gone.includes(email.conversation)))
          email.to = ''
    } else if (what === 'write') {
      const to = addressOf(address)
      const expected = belongsTo([to], sender, null) ?? null
      const email = await mail.sent(to, sender)
      expect((await mail.message(email.id))['contact_id']).toBe(expected)
      const conversation = turn(sender, to, expected, email.conversationId)
      const written = { ...email, sender, to, contact: expected, conversation }
      sent.push(written)
      named.push({ header: email.messageId, sent: written })
    } else if (what === 'receive') await receive(one, `The ${place}th of ${n}`)
  }
}

test('an email belongs where its token, its references and its author say, in any order of what people do', async () => {
  await fc.assert(fc.asyncProperty(deeds, live), { numRuns: 80 })
})
