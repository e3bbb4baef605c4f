import type { Actor } from '#kernel/events/journal.ts'
import type { createContact, updateContact } from '../modules/contacts/public.ts'
import type { Household } from './cast/household.ts'
import type { Diary } from './diary.ts'
import type { Inquiry } from './inquiry.ts'

export type Draft = Parameters<typeof createContact>[1]
export type Patch = Parameters<typeof updateContact>[2]

/** A member as stories need them. */
export interface SeedAgent {
  actor: Actor & { id: string }
  /** Their share of the contacts that are not routed, relative to the others. */
  share: number
  /** When they leave; then others take over. */
  until: Date | null
}

/** What the contact's agent does: a note, a change, a first talk about the inquiry; or another inquiry of the contact. */
export type StoryStep = { at: Date } & (
  | { note: string }
  | { patch: Patch }
  | { contacted: true }
  | { inquiry: Inquiry }
)

/** One contact's history. */
export interface Story {
  at: Date
  /** The contact when it is known. */
  draft: Draft
  /** How it comes in; null for one whom an agent enters. */
  inquiry: Inquiry | null
  /** Who enters it. */
  agent: SeedAgent
  /** What they are after. */
  household: Household
  steps: StoryStep[]
}

export interface Teller {
  /** The contact as it stands. */
  readonly present: Draft
  withTag(tag: string): Patch
  patch(patch: Patch): void
  note(body: string): void
  contacted(): void
  inquire(inquiry: Inquiry): void
}

/** Writes steps at the diary's moments. */
export function openTeller(story: Story, diary: Diary): Teller {
  let present = story.draft
  return {
    get present() {
      return present
    },
    withTag: (tag) => ({ tags: [...new Set([...(present.tags ?? []), tag])] }),
    patch(patch) {
      story.steps.push({ at: diary.at, patch })
      present = { ...present, ...(patch as Draft) }
    },
    note: (note) => void story.steps.push({ at: diary.at, note }),
    contacted: () => void story.steps.push({ at: diary.at, contacted: true }),
    inquire: (inquiry) => void story.steps.push({ at: diary.at, inquiry }),
  }
}
