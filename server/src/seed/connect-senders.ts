import { createContext } from '#kernel/context.ts'
import { allScopes } from '../modules/access/public.ts'
import { changeComplianceSettings } from '../modules/compliance/public.ts'
import { createSender, createTemplate } from '../modules/senders/public.ts'
import type { Batch } from './batch.ts'

/** A company's phone numbers and email address. No demo contact has these numbers. */
export interface Lines {
  phone: string
  whatsapp: string
  email: string
}

/**
 * Adds registered senders with the simulated carrier, the postal address that marketing requires, and two WhatsApp
 * templates.
 */
export async function connectSenders(
  { runtime }: Batch,
  workspaceId: string,
  { name, lines }: { name: string; lines: Lines },
): Promise<void> {
  const actor = { type: 'system', id: null, name: 'Demo data' }
  const ctx = createContext(runtime, { workspaceId, actor, scopes: new Set(allScopes) })
  await createSender(ctx, {
    kind: '10dlc',
    address: lines.phone,
    name: 'Main line',
    registration: { brand: 'APPROVED', campaign: 'VERIFIED', number: 'REGISTERED' },
  })
  await createSender(ctx, {
    kind: 'whatsapp',
    address: lines.whatsapp,
    name,
    registration: { status: 'APPROVED' },
  })
  await createSender(ctx, {
    kind: 'email',
    address: lines.email,
    name,
    registration: { domain_authenticated: true },
  })
  await changeComplianceSettings(ctx, {
    postal_address: `${name}, 48 Alder Court, Evanston, IL 60201`,
    support_contact: '+13125550100',
  })
  const language = 'en_US'
  const status = 'APPROVED'
  await createTemplate(ctx, {
    name: 'showing_confirmed',
    category: 'UTILITY',
    body: 'Hi {{1}}, your showing at {{2}} is confirmed for {{3}}.',
    language,
    status,
  })
  await createTemplate(ctx, {
    name: 'new_listing',
    category: 'MARKETING',
    body: 'Hi {{1}}, a new listing that may suit you: {{2}}. Shall we see it together?',
    language,
    status,
  })
}
