import type { Tx } from '#kernel/context.ts'
import { type AutomationDraft, automationRecord } from '../automation.ts'
import { insertAutomation } from '../queries.ts'
import { anniversary } from './anniversary.ts'
import { noReply } from './no-reply.ts'
import { nurture } from './nurture.ts'
import { showing } from './showing.ts'
import { speedToLead } from './speed-to-lead.ts'

/** What every workspace begins with, in the order of a contact's way. */
export const recipes: readonly AutomationDraft[] = [speedToLead, noReply, showing, anniversary, nurture]

/** Gives a new workspace drafts to start from, which its creation announces. They are neither published nor enabled. */
export function insertRecipes(tx: Tx): void {
  for (const draft of recipes) insertAutomation(tx, automationRecord.create(draft, tx.clock.now()))
}
