import { type Ctx, createContext } from '#kernel/context.ts'
import type { Actor } from '#kernel/events/journal.ts'
import { allScopes } from '../modules/access/public.ts'
import { type Agenda, openAgenda } from './agenda.ts'
import type { Batch } from './batch.ts'
import type { Household } from './cast/household.ts'
import type { Inquiry } from './inquiry.ts'
import type { Random } from './random.ts'
import type { SeedAgent } from './teller.ts'

/** The current state of a deal. */
export interface DealThread {
  id: string
  household: Household
  /** The index of its stage among the pipeline's open stages, and the last one that it reaches on its own. */
  stage: number
  furthest: number
  listingId: string | undefined
}

/** The current state of a story. */
export interface Thread {
  contactId: string
  /** Their last name. */
  name: string
  household: Household
  /** The index of the stage that their deal reaches by the end, if that is not up to chance. */
  reaches: number | undefined
  /** The contact's deal, while it is open. */
  deal: DealThread | undefined
  /** The agent who works with the contact; undefined if there is none. */
  agent: SeedAgent | undefined
  /** Whether the contact record has this owner, too. */
  owned: boolean
  /** The lead, while it is open. */
  leadId: string | undefined
  /** Tags that rules have added to the contact. */
  tags: readonly string[]
}

/** The state of the simulation that all stories share. */
export interface Scene {
  agenda: Agenda
  threads: Thread[]
  agents: ReadonlyMap<string, SeedAgent>
  /** By name, with the IDs of their open stages. */
  pipelines: ReadonlyMap<string, { id: string; open: readonly string[] }>
  /** Separate from the generator of the stories, so that the stories stay the same. */
  random: Random
  /** Leads that wait for opening hours or for an agent. */
  waiting: Map<Thread, Inquiry['luck']>
  /** The tags that each rule adds to contacts, by rule ID. */
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
