import type { Client } from '#test/support/client.ts'
import { asOwner, workerDatabase } from '#test/support/database.ts'
import { type Fixtures, idOf } from '#test/support/fixtures.ts'
import { ConnectionDraft } from './connection.ts'
import { senders } from './sender.ts'
import { templates } from './template.ts'

const [sender] = (senders.Draft as unknown as { examples: { address: string }[] }).examples
const [connection] = (ConnectionDraft as unknown as { examples: object[] }).examples
const [template] = (templates.Draft as unknown as { examples: object[] }).examples
let count = 0

/** A new address every time, because a workspace can have an address only once. */
const newAddress = () => `+1312${2_000_000 + ++count}`

const addSender = async (agent: Client) =>
  idOf(await agent.post('/senders', { ...sender, address: newAddress() }))
/** Adds a sender of emails: no provider is asked about a simulated one. */
const addEmailSender = async (agent: Client) =>
  idOf(
    await agent.post('/senders', {
      kind: 'email',
      address: `office-${++count}@lantern.example`,
      registration: { domain_authenticated: true },
    }),
  )
const addTemplate = async (agent: Client) =>
  idOf(await agent.post('/templates', { ...template, name: `template_${++count}` }))

/** Adds a connection that reaches no provider. */
const connect = async (agent: Client) =>
  idOf(await agent.post('/connections', { ...connection, simulated: true }))

const states = [
  {},
  { brand: 'APPROVED' },
  { brand: 'IN_REVIEW', campaign: 'IN_PROGRESS', number: 'REGISTERED' },
]

export const fixtures: Fixtures = {
  records: {
    '/connections/{id}': async (agent) => [await connect(agent)],
    '/senders/{id}': async (agent) => [await addEmailSender(agent)],
    '/templates/{id}': async (agent) => [await addTemplate(agent)],
  },
  // A sender without a connection would take a real one that another request has made, whose states only the provider reports.
  ready: {
    'POST /senders': async ({ workspace }) =>
      asOwner(
        await workerDatabase(),
        'update connections set disconnected_at = now() where workspace_id = $1 and not simulated',
        [workspace?.id ?? ''],
      ),
  },
  lists: { '/senders': { insert: addSender }, '/templates': { insert: addTemplate } },
  reset: {
    'POST /senders/{id}/refresh': async (id) =>
      asOwner(
        await workerDatabase(),
        `update senders set registration = '{"domain_authenticated": false}' where id = $1`,
        [id],
      ),
    'POST /senders': async () =>
      asOwner(await workerDatabase(), 'update senders set address = $2 where address = $1', [
        sender?.address,
        newAddress(),
      ]),
    'POST /templates': async () => asOwner(await workerDatabase(), 'update message_templates set name = id'),
  },
  values: {
    'POST /senders address': ['+13125550188', '(312) 555-0188', '312.555.0188', '+1 416 555 0188'],
    'POST /senders registration': states,
    'PATCH /senders/{id} registration': [{}],
  },
}
