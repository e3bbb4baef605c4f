import type { Actor } from '#kernel/events/journal.ts'
import type { createContact, updateContact } from '../modules/contacts/public.ts'
import type { Diary } from './diary.ts'
import type { Random } from './random.ts'

export type Draft = Parameters<typeof createContact>[1]
export type Patch = Parameters<typeof updateContact>[2]

/** A member as stories need them. */
export interface Agent {
  actor: Actor & { id: string }
  /** How many contacts come to them, against the others. */
  share: number
  /** When they left; then another takes over. */
  until: Date | null
}

export type Step = { at: Date; by: Actor } & ({ note: string } | { patch: Patch })

/** One contact's history: what somebody did, and when. */
export interface Story {
  at: Date
  by: Actor
  draft: Draft
  steps: Step[]
}

export interface Teller {
  /** The contact as it stands. */
  readonly present: Draft
  withTag(tag: string): Patch
  patch(patch: Patch): void
  note(body: string): void
  /** Gives the contact to somebody else if its owner has left by then. */
  handOver(now: Date): void
}

/** Writes steps at the diary's moments, in the name of who has the contact then. */
export function openTeller(
  random: Random,
  story: Story,
  diary: Diary,
  cast: { agents: readonly Agent[]; owner: Agent },
): Teller {
  let { owner } = cast
  let present = story.draft
  const staying = cast.agents.filter(({ until }) => until === null)
  function handOver(now: Date): void {
    if (owner.until === null || now < owner.until) return
    const at = new Date(Math.max(owner.until.getTime(), (story.steps.at(-1)?.at ?? story.at).getTime()) + 1)
    const [manager] = staying
    const owned = present.owner_id === owner.actor.id
    owner = random.weighted(staying.map((one) => [one, one.share]))
    if (!owned) return
    story.steps.push({ at, by: manager?.actor ?? owner.actor, patch: { owner_id: owner.actor.id } })
    present = { ...present, owner_id: owner.actor.id }
  }
  return {
    get present() {
      return present
    },
    withTag: (tag) => ({ tags: [...new Set([...(present.tags ?? []), tag])] }),
    patch(patch) {
      handOver(diary.at)
      story.steps.push({ at: diary.at, by: owner.actor, patch })
      present = { ...present, ...(patch as Draft) }
    },
    note(body) {
      handOver(diary.at)
      story.steps.push({ at: diary.at, by: owner.actor, note: body })
    },
    handOver,
  }
}
