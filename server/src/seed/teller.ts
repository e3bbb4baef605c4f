import type { Actor } from '#kernel/events/journal.ts'
import type { createContact, updateContact } from '../modules/contacts/public.ts'
import type { Household } from './cast/household.ts'
import type { Diary } from './diary.ts'
import type { Inquiry } from './inquiry.ts'

export type Draft = Parameters<typeof createContact>[1]
export type Patch = Parameters<typeof updateContact>[2]

/** A member as the stories use them. */
export interface SeedAgent {
  actor: Actor & { id: string }
  /** Their share of the contacts that are not routed, relative to the other members. */
  share: number
  /** When they leave and others take over; null if they stay. */
  until: Date | null
}

/**
 * An action of the contact's agent (a note, a change, a first talk about the inquiry), or another inquiry from the
 * contact.
 */
export type StoryStep = { at: Date } & (
  | { note: string }
  | { patch: Patch }
  | { contacted: true }
  | { inquiry: Inquiry }
)

/** The history of one contact. */
export interface Story {
  at: Date
  /** The contact as first known. */
  draft: Draft
  /** The initial inquiry; null for a contact that an agent enters. */
  inquiry: Inquiry | null
  /** The agent who enters the contact. */
  agent: SeedAgent
  /** What they are looking for. */
  household: Household
  /** The index of the stage that their deal reaches by the end, if that is not up to chance. */
  reaches: number | undefined
  steps: StoryStep[]
}

export interface Teller {
  /** The contact's current state. */
  readonly present: Draft
  withTag(tag: string): Patch
  patch(patch: Patch): void
  note(body: string): void
  contacted(): void
  inquire(inquiry: Inquiry): void
}

/** Adds steps to a story at the diary's current time. */
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
