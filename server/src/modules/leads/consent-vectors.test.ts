import { expect, test } from 'vitest'
import { readCases } from '#test/data/read-cases.ts'
import type { OptOutChannel, SuppressionRow } from '../compliance/public.ts'
import { aiBlockers } from './ai-blockers.ts'
import type { Blocker } from './consent.ts'

interface Vector {
  kind: string
  title: string
  input: {
    now: string
    lead: {
      consent?: { captured_at?: unknown; source_url?: string; form_snapshot?: Record<string, unknown> }
      opted_out?: OptOutChannel[]
    }
  }
  expect: { allowed: boolean; why: string | null }
}

/** Translates a blocker to the terms of the vectors. */
const why = (blocker: Blocker | undefined) => {
  if (blocker === undefined) return null
  if (blocker === 'consent_missing') return 'no_consent_artifact'
  return blocker === 'opted_out' ? blocker : 'consent_artifact_incomplete'
}

test.each(
  readCases<Vector>('vectors')
    .filter(({ kind }) => kind === 'ai_outbound_allowed')
    .map((vector) => [vector.title, vector] as const),
)('%s', (_title, { input: { now, lead }, expect: expected }) => {
  const consent = lead.consent && {
    captured_at: lead.consent.captured_at,
    source_url: lead.consent.source_url ?? null,
    ip: null,
    form_snapshot: lead.consent.form_snapshot ?? null,
    form_sha256: null,
    received_at: now,
    revoked_at: null,
  }
  const held = [{ kind: 'opted_out', channels: lead.opted_out ?? [] } as unknown as SuppressionRow]
  const [first] = aiBlockers({ consent: consent ?? null, erased_at: null }, held, new Date(now))
  expect({ allowed: first === undefined, why: why(first) }).toEqual(expected)
})
