import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type { ListingDraft } from '../../listings/public.ts'
import type { HandoffReason } from '../events.ts'

/** A conversation of `conversations.yaml`, which says what its members mean. */
export interface ScriptedConversation {
  name: string
  /** Of the contact. */
  first_name?: string
  knowledge?: string
  /** On the market; an agent is theirs. */
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

export const readConversations = (): ScriptedConversation[] =>
  parse(readFileSync(new URL('conversations.yaml', import.meta.url), 'utf8')) as ScriptedConversation[]
