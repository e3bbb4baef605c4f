import { orNotFound } from '#kernel/errors.ts'
import { changeComplianceSettings } from '../../src/modules/compliance/public.ts'
import { createSender, createTemplate, listSenders } from '../../src/modules/senders/public.ts'
import type { TestWorkspace } from './app.ts'

const prepared = new WeakMap<TestWorkspace, Promise<unknown>>()

/**
 * Gives a workspace a sender for each channel, and the consent of the person in the examples. Does so once per
 * workspace.
 */
export function readyToSend(workspace: TestWorkspace): Promise<unknown> {
  const known = prepared.get(workspace) ?? prepare(workspace)
  prepared.set(workspace, known)
  return known
}

async function prepare(workspace: TestWorkspace): Promise<void> {
  const { ctx } = workspace
  await createSender(ctx, {
    kind: '10dlc',
    address: '+13125550188',
    registration: { brand: 'APPROVED', campaign: 'VERIFIED', number: 'REGISTERED' },
  })
  await createSender(ctx, { kind: 'whatsapp', address: '+13125550189', registration: { status: 'APPROVED' } })
  await createSender(ctx, {
    kind: 'email',
    address: 'office@gable.example',
    registration: { domain_authenticated: true },
  })
  const whatsapp = (await listSenders(ctx.db)).find(({ kind }) => kind === 'whatsapp')
  await createTemplate(ctx, {
    connection_id: orNotFound(whatsapp).connection_id,
    name: 'viewing_reminder',
    language: 'en_US',
    category: 'UTILITY',
    status: 'APPROVED',
    body: 'Your viewing is on {{1}}.',
  })
  await changeComplianceSettings(ctx, { postal_address: '48 Alder Court, Chicago, IL 60614' })
  const agent = await workspace.credential()
  await agent.post('/leads', {
    phone: '+13125550177',
    email: 'sam@reyes.example',
    source: 'Website',
    skip_routing: true,
    consent: { captured_at: '2026-01-02T15:00:00Z', source_url: 'https://lanternandoak.example/valuation' },
  })
}
