import { expect, test } from 'vitest'
import type { Ctx } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import {
  app,
  city,
  ctx,
  deliver,
  emailing,
  homesIn,
  list,
  messagesTo,
  morning,
  nextMorning,
  openDigests,
  patch,
  run,
  save,
  searchOf,
  sentEvents,
} from '#test/scenes/digests.ts'
import { asOwner } from '#test/support/database.ts'
import { queueDigests } from './jobs.ts'

openDigests()

test('a digest lists what is new, back, or reduced since the last one, and nothing twice', async () => {
  const before = await list({ street_number: '1', street_name: 'Old Road' })
  const back = await list({ street_number: '2', street_name: 'Elm Street', unit_number: '4' })
  await patch(`/listings/${back}`, { status: 'pending' })
  const saved = await save({ criteria: { cities: [city], price_max: 600_000 } })
  app.clock.advance(1000)
  await patch(`/listings/${back}`, { status: 'active' })
  app.clock.advance(1000)
  await patch(`/listings/${before}`, { list_price: 479_999.5, bedrooms: 3, bathrooms_total: 2.5 })
  await list({
    street_number: '48',
    street_name: 'Alder Court',
    state: 'IL',
    bedrooms: 1,
    living_area: 1840,
    virtual_tour_url: 'https://tours.example/48?a=1&b=2',
  })
  await list({ list_price: 700_000 })
  await list({ status: 'coming_soon' })
  await morning(saved)
  const [message, ...more] = await messagesTo(saved)
  expect(more).toEqual([])
  expect(message).toMatchObject({ status: 'sent', source: 'automation', message_class: 'marketing' })
  expect(message?.subject).toBe(`3 listings: Homes in ${city}`)
  expect(message?.body).toBe(`Hi Ada,

3 listings with news for your search “Homes in ${city}”:

48 Alder Court, ${city}, IL
$500,000 · 1 bed · 1,840 sq ft
New
https://tours.example/48?a=1&b=2

1 Old Road, ${city}
$479,999.50 · 3 beds · 2.5 baths
Price reduced from $500,000

2 Elm Street Unit 4, ${city}
$500,000
Back on the market

Hana Ito
Lantern & Oak`)
  expect(message?.body_html).toContain(`<strong>2 Elm Street Unit 4, ${city}</strong><br>$500,000<br>Back`)
  expect(message?.body_html).toContain('href="https://tours.example/48?a=1&amp;b=2"')
  expect(message?.body_html).toContain('Lantern &amp; Oak</p></body>')
  expect(await sentEvents(saved)).toEqual([
    {
      id: saved.id,
      contact_id: saved.contactId,
      message_id: message?.id,
      listing_count: 3,
      name: `Homes in ${city}`,
    },
  ])
  expect(await searchOf(saved)).toMatchObject({ active: true, last_sent_at: app.clock.now().toISOString() })
  await morning(saved)
  expect(await messagesTo(saved)).toHaveLength(1)
  const timeline = (await emailing.agent.get(`/contacts/${saved.contactId}/events`)).body['data']
  expect(timeline.map(({ title }: { title: string }) => title)).toContain('Listing alert sent: 3 listings')
})

test('a digest does not greet a contact by a name that has a link', async () => {
  const saved = await save()
  await emailing.agent.patch(`/contacts/${saved.contactId}`, { first_name: 'claim https://prize.example' })
  await list()
  nextMorning()
  await run(saved)
  const [message] = await messagesTo(saved)
  expect(message?.body).toMatch(/^Hello,/)
  expect(message?.body_html).not.toContain('prize')
})

test('an email lists twenty listings and counts the rest, with prices in their currency', async () => {
  const saved = await save({ name: 'Chicago <b>' })
  for (let n = 0; n < 23; n++) await list({ currency: 'EUR' })
  await morning(saved)
  const message = orNotFound((await messagesTo(saved))[0])
  expect(homesIn(message)).toBe(20)
  expect(message.body).toContain('€500,000\nNew\n\nand 3 more.\n\nHana')
  expect(message.body_html).toContain('“Chicago &lt;b&gt;”')
  expect(await sentEvents(saved)).toMatchObject([{ listing_count: 23 }])
})

test('only one of several concurrent runs sends, and none sends again that day', async () => {
  const saved = await save()
  await list()
  nextMorning()
  await Promise.all(Array.from({ length: 8 }, () => run(saved)))
  expect(await messagesTo(saved)).toHaveLength(1)
  await deliver()
  const again = 'update saved_searches set next_at = created_at, unsent_since = created_at where id = $1'
  await asOwner(app.databaseUrl, again, [saved.id])
  await run(saved)
  expect(await messagesTo(saved)).toHaveLength(1)
  expect(Date.parse((await searchOf(saved))['next_at'])).toBeGreaterThan(app.clock.now().getTime())
  await asOwner(app.databaseUrl, 'update saved_searches set next_at = created_at where id = $1', [saved.id])
  await Promise.all(Array.from({ length: 8 }, () => run(saved)))
  expect(await sentEvents(saved)).toHaveLength(1)
})

/** A context in which something else happens right before the transaction. */
const after = (happens: () => Promise<unknown>): Ctx => ({
  ...ctx,
  async transaction(work) {
    await happens()
    return ctx.transaction(work)
  },
})

test('a run sends nothing if its search was sent, changed, or paused in the meantime', async () => {
  const [sent, changed, paused] = [await save(), await save(), await save()]
  await list()
  nextMorning()
  await run(
    sent,
    after(async () => {
      await run(sent)
      const due = 'update saved_searches set next_at = created_at where id = $1'
      await asOwner(app.databaseUrl, due, [sent.id])
    }),
  )
  expect(await messagesTo(sent)).toHaveLength(1)
  const elsewhere = { criteria: { cities: ['Elsewhere'] } }
  await run(
    changed,
    after(() => patch(`/saved-searches/${changed.id}`, elsewhere)),
  )
  await run(
    paused,
    after(() => patch(`/saved-searches/${paused.id}`, { active: false })),
  )
  expect([await messagesTo(changed), await messagesTo(paused)]).toEqual([[], []])
  await patch(`/contacts/${changed.contactId}`, { email: null })
  await patch(`/saved-searches/${changed.id}`, { criteria: {} })
  await run(
    changed,
    after(() => patch(`/saved-searches/${changed.id}`, { active: false })),
  )
  expect(await searchOf(changed)).toMatchObject({ active: false, paused_reason: null })
})

test('a run that crashes before its commit leaves nothing, and the next run sends', async () => {
  const saved = await save()
  await list()
  nextMorning()
  const crashing: Ctx = {
    ...ctx,
    transaction: (work) =>
      ctx.transaction(async (tx) => {
        await work(tx)
        await tx.flush()
        throw new Error('crash')
      }),
  }
  const before = await searchOf(saved)
  await expect(run(saved, crashing)).rejects.toThrow('crash')
  expect([await messagesTo(saved), await searchOf(saved)]).toEqual([[], before])
  await run(saved)
  expect(await messagesTo(saved)).toHaveLength(1)
})

let begunAt: Date | undefined
const hoursLate = [0, 6, 11, 12.5, 23, 24, 36, 7 * 24 + 3, 7 * 24 + 14]
const outages = (['daily', 'weekly'] as const).flatMap((frequency) =>
  hoursLate.map((hours) => ({ frequency, hours })),
)
test.each(outages)(
  'a $frequency digest that an outage delays by $hours hours goes out by day, once',
  async (late) => {
    // The API key of the tests does not outlive all outages one after another.
    app.clock.set((begunAt ??= app.clock.now()))
    const saved = await save({ frequency: late.frequency })
    await list()
    const local = (time: unknown) =>
      Temporal.Instant.from(String(time)).toZonedDateTimeISO('America/New_York')
    const nextAt = async () => (await searchOf(saved))['next_at']
    const first = local(await nextAt())
    app.clock.set(new Date(first.epochMilliseconds + late.hours * 3_600_000))
    await run(saved)
    const at = local(app.clock.now().toISOString())
    if (at.hour < 8 || at.hour >= 20) {
      expect(await messagesTo(saved)).toEqual([])
      const opening = local(await nextAt())
      expect(opening.toPlainTime()).toEqual(first.toPlainTime())
      expect(opening.since(at).total('hours')).toBeLessThan(13)
      app.clock.set(new Date(opening.epochMilliseconds))
      await run(saved)
    }
    await deliver()
    await run(saved)
    expect(await messagesTo(saved)).toMatchObject([{ status: 'sent' }])
    const [sentAt, next] = [local(app.clock.now().toISOString()), local(await nextAt())]
    const days = sentAt.toPlainDate().until(next.toPlainDate()).days
    expect(next.toPlainTime()).toEqual(first.toPlainTime())
    if (late.frequency === 'daily') expect(days).toBe(1)
    else expect([next.dayOfWeek, days > 0, days <= 7]).toEqual([first.dayOfWeek, true, true])
  },
)

test('a listing added minutes before a digest is in the next one', async () => {
  const saved = await save()
  nextMorning()
  app.clock.advance(-5 * 60_000)
  await list()
  nextMorning(0)
  await run(saved)
  expect(await messagesTo(saved)).toEqual([])
  await morning(saved)
  expect(await messagesTo(saved)).toHaveLength(1)
})

test('the worker queues only the digests that are due', async () => {
  const due = await save()
  const paused = await save({ active: false })
  nextMorning()
  const later = await save()
  await queueDigests.handle(app.runtime)
  await queueDigests.handle(app.runtime)
  const jobs = await asOwner<{ key: string }>(
    app.databaseUrl,
    "select key from graphile_worker.jobs where task_identifier = 'send-listing-digest'",
  )
  const queued = [due, paused, later].map(({ id }) => jobs.filter(({ key }) => key.endsWith(id)).length)
  expect(queued).toEqual([1, 0, 0])
})
