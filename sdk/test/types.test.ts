import type { Contact, Gable, GableOptions, Lead, MessageDraft } from 'gable'
import { expect, test } from 'vitest'

type Is<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never
const is = <A, B>(_: Is<A, B>) => undefined

/** What compiles, and what does not. It never runs. */
export async function compiled(gable: Gable): Promise<void> {
  const contact = await gable.contacts.retrieve('a', { fields: ['first_name'] })
  is<keyof typeof contact, 'id' | 'first_name'>(true)
  is<keyof Awaited<ReturnType<typeof gable.contacts.create>>, keyof Contact>(true)
  const { data } = await gable.leads.list({ fields: ['phone'] })
  is<keyof (typeof data)[number], 'id' | 'phone'>(true)
  for await (const lead of gable.leads.list()) is<typeof lead, Pick<Lead, keyof Lead>>(true)
  const created = await gable.contacts.create({ first_name: 'Ada' }, { fields: ['stage'] })
  is<keyof typeof created, 'id' | 'stage'>(true)

  // @ts-expect-error -- no member of that name
  await gable.contacts.retrieve('a', { fields: ['frist_name'] })
  await gable.contacts.list({ stage: ['LEAD', 'SPHERE'] })
  // @ts-expect-error -- no stage of that name
  await gable.contacts.list({ stage: ['LEADS'] })
  // @ts-expect-error -- no stage of that name
  await gable.contacts.list({ stage: 'LEADS' })
  // @ts-expect-error -- a body is required
  await gable.messages.create()
  // @ts-expect-error -- an ID is required
  await gable.contacts.retrieve()
  // @ts-expect-error -- a text has a recipient
  await gable.messages.create({ channel: 'sms', body: 'Hello' } satisfies MessageDraft)
  await gable.messages.create({ channel: 'sms', to: '+13125550123', body: 'Hello' })
  // @ts-expect-error -- undefined is not an omitted member
  await gable.contacts.list({ stage: undefined })

  // @ts-expect-error -- one credential
  const both: GableOptions = { apiKey: 'a', accessToken: 'b' }
  // @ts-expect-error -- at least one credential
  const none: GableOptions = { baseUrl: 'https://gable.example' }
  void [both, none]
}

test('the types are checked by tsc', () => expect(compiled).toBeTypeOf('function'))
