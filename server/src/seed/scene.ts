import { type Ctx, createContext } from '#kernel/context.ts'
import type { Actor } from '#kernel/events/journal.ts'
import { allScopes } from '../modules/access/public.ts'
import { type Agenda, openAgenda } from './agenda.ts'
import type { Batch } from './batch.ts'
import type { Household } from './cast/household.ts'
import type { DealThread } from './follow-deal.ts'
import type { Inquiry } from './inquiry.ts'
import type { Random } from './random.ts'
import type { SeedAgent } from './teller.ts'

/** A story as far as it has been played. */
export interface Thread {
  contactId: string
  /** Their last name. */
  name: string
  household: Household
  /** Their deal, while it is open. */
  deal: DealThread | undefined
  /** Who has the contact; undefined if no one does. */
  agent: SeedAgent | undefined
  /** Whether the contact says so, too. */
  owned: boolean
  /** The lead, while it is open. */
  leadId: string | undefined
  /** What rules have tagged the contact with. */
  tags: readonly string[]
}

/** Where stories are played, and how far they have come. */
export interface Scene {
  agenda: Agenda
  threads: Thread[]
  agents: ReadonlyMap<string, SeedAgent>
  /** By name, with the ids of their open stages. */
  pipelines: ReadonlyMap<string, { id: string; open: readonly string[] }>
  /** Of what follows from stories, so that these stay the same. */
  random: Random
  /** Leads that wait for hours or for an agent. */
  waiting: Map<Thread, Inquiry['luck']>
  /** What a rule tags contacts with, by its id. */
  tagsOfRule: Map<string, readonly string[]>
  as(actor: Actor): Ctx
  now(): Date
}

export function openScene(
  { runtime, clock }: Batch,
  workspaceId: string,
  {
    agents,
    end,
    pipelines,
    random,
  }: { agents: readonly SeedAgent[]; end: Date } & Pick<Scene, 'pipelines' | 'random'>,
): Scene {
  return {
    agenda: openAgenda(end),
    threads: [],
    agents: new Map(agents.map((agent) => [agent.actor.id, agent])),
    pipelines,
    random,
    waiting: new Map(),
    tagsOfRule: new Map(),
    as: (actor) => createContext(runtime, { workspaceId, actor, scopes: new Set(allScopes) }),
    now: () => clock.now(),
  }
}
