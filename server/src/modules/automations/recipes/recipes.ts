import type { Tx } from '#kernel/context.ts'
import { type AutomationDraft, automationRecord } from '../automation.ts'
import { insertAutomation } from '../queries.ts'
import { anniversary } from './anniversary.ts'
import { noReply } from './no-reply.ts'
import { nurture } from './nurture.ts'
import { showing } from './showing.ts'
import { speedToLead } from './speed-to-lead.ts'

/** The automations that every workspace starts with, in the order of a contact's journey. */
export const recipes: readonly AutomationDraft[] = [speedToLead, noReply, showing, anniversary, nurture]

/**
 * Adds drafts to a new workspace, neither published nor enabled. Emits no events for them, because the workspace's creation announces them.
 */
export function insertRecipes(tx: Tx): void {
  for (const draft of recipes) insertAutomation(tx, automationRecord.create(draft, tx.clock.now()))
}
