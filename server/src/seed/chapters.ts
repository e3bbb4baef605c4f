import type { Contact } from '../modules/contacts/public.ts'
import type { Kind } from './cast/household.ts'
import type { Chapter } from './cast/phrases.ts'

type Stage = Contact['stage']
type Range = readonly [min: number, max: number]

/** The sequences of stages that contacts go through, and how many of fifty contacts go through each. */
export const paths: readonly (readonly [path: readonly Stage[], count: number])[] = [
  [['LEAD'], 10],
  [['LEAD', 'HOT_LEAD'], 5],
  [['LEAD', 'NURTURE'], 9],
  [['LEAD', 'HOT_LEAD', 'NURTURE'], 3],
  [['LEAD', 'HOT_LEAD', 'ACTIVE_CLIENT'], 5],
  [['LEAD', 'NURTURE', 'HOT_LEAD', 'ACTIVE_CLIENT'], 2],
  [['LEAD', 'HOT_LEAD', 'ACTIVE_CLIENT', 'PAST_CLIENT'], 6],
  [['LEAD', 'NURTURE', 'HOT_LEAD', 'ACTIVE_CLIENT', 'PAST_CLIENT'], 2],
  [['SPHERE'], 4],
  [['SPHERE', 'HOT_LEAD', 'ACTIVE_CLIENT'], 1],
  [['LEAD', 'TRASH'], 3],
]

export const chapterOf: Record<Stage, Chapter> = {
  LEAD: 'inquiry',
  HOT_LEAD: 'hot',
  NURTURE: 'nurture',
  ACTIVE_CLIENT: 'active',
  PAST_CLIENT: 'closed',
  SPHERE: 'sphere',
  TRASH: 'trash',
}

export const noteCounts: Record<Chapter, Range> = {
  inquiry: [0, 2],
  hot: [1, 2],
  nurture: [0, 1],
  active: [1, 3],
  closed: [1, 2],
  sphere: [0, 2],
  trash: [1, 1],
}

/** Days before a chapter begins, and between its notes. */
export const gaps: Record<Chapter, { before: Range; between: Range }> = {
  inquiry: { before: [1, 5], between: [1, 6] },
  hot: { before: [0, 12], between: [1, 7] },
  nurture: { before: [5, 30], between: [18, 70] },
  active: { before: [2, 20], between: [2, 11] },
  closed: { before: [14, 60], between: [20, 150] },
  sphere: { before: [1, 9], between: [14, 90] },
  trash: { before: [1, 20], between: [1, 1] },
}

/** Contact sources, weighted. Inquiries from `online` sources come in as leads; no member entered them. */
export const sources: readonly (readonly [source: { name: string; online: boolean }, weight: number])[] = [
  [{ name: 'Website', online: true }, 22],
  [{ name: 'Listing portal', online: true }, 20],
  [{ name: 'Open house', online: false }, 15],
  [{ name: 'Referral', online: false }, 14],
  [{ name: 'Home valuation page', online: true }, 8],
  [{ name: 'Social ad', online: true }, 7],
  [{ name: 'Yard sign', online: false }, 5],
  [{ name: 'Relocation partner', online: true }, 5],
  [{ name: 'Community event', online: false }, 4],
]

export const kindTags: Record<Kind, readonly string[]> = {
  buyer: [
    'first-time buyer',
    'pre-approved',
    'condo',
    'single family',
    'needs parking',
    'relocation',
    'school district',
    'new construction',
  ],
  seller: ['downsizing', 'needs to buy first', 'estate', 'lakefront', 'vacant', 'spring market'],
  renter: ['pets', 'flexible date', 'may buy later'],
  investor: ['multi-unit', 'cash', '1031 exchange', 'off-market'],
}

/** Tags that a contact may get when a chapter begins. */
export const tagsOf: Record<Chapter, readonly string[]> = {
  inquiry: ['new'],
  hot: ['consultation done', 'urgent', 'weekends only', 'decision this month'],
  nurture: ['monthly update', 'call next quarter', 'long-term'],
  active: ['agreement signed', 'under contract', 'attorney review', 'vip'],
  closed: ['closed', 'review asked', 'home anniversary', 'referral source'],
  sphere: ['client event', 'neighbor'],
  trash: ['do not contact', 'duplicate'],
}
