import { readFileSync } from 'node:fs'
import type { ListingDraft } from '../../listings/public.ts'
import type { HandoffReason } from '../events.ts'

/** A conversation in `conversations.yaml`, which documents the members. */
export interface ScriptedConversation {
  name: string
  /** The contact's first name. */
  first_name?: string
  knowledge?: string
  /** Listings on the market. An agent of the brokerage lists them. */
  listings?: Omit<ListingDraft, 'status' | 'list_agent_id'>[]
  turns: string[]
  model: Record<string, unknown>[]
  while_asked?: string
  expect: {
    becomes: 'sent' | 'handed_off' | 'nothing'
    reason?: HandoffReason
    codes?: string[]
    paused?: string
  }
  actions: string[]
  never?: string[]
  says?: string
}

export async function readConversations(): Promise<ScriptedConversation[]> {
  const { parse } = await import('yaml')
  return parse(readFileSync(new URL('conversations.yaml', import.meta.url), 'utf8')) as ScriptedConversation[]
}
