import type { Definition } from '../../src/modules/automations/definition/definition.ts'
import type { AutomationStep } from '../../src/modules/automations/definition/step-types.ts'
import { mustBe } from '../simulation/violation.ts'
import { type Course, courseOf } from './course.ts'
import type { SeenEnrollment, SeenEvent, SeenStep, Snapshot } from './snapshot.ts'

/** Who made a commit, and what a person did in it. */
export interface Commit {
  by: 'engine' | 'person' | 'sender'
  name: string
  /** An exit that ends the contact's enrollments whose definitions have it. */
  exit?: { whens: readonly string[]; contactId: string; happened?: (event: SeenEvent) => boolean } | undefined
  /** A response from outside to a step: `enrollment:seq`, its reason, and its first outcome. */
  response?: { step: string; reason: string; outcome: string } | undefined
  optedOut?: string | undefined
}

export interface Known {
  automationId: string
  course: Course
  /** The time of the last record, or of the start. */
  lastAt: number
  pausedAt: number | undefined
  pausedMs: number
  wasPaused: boolean
  /** When a paused enrollment was due, and whether the pause moves that time. */
  planned: { at: number; standsStill: boolean } | undefined
  /** The same time, if the enrollment resumed after it. */
  behind: number | undefined
  /** The last record, if it is a message. */
  lastSend: SeenStep | undefined
  /** The step as it was when the enrollment started to wait there, before it moved to another version. */
  begun: AutomationStep | undefined
  wasMigrated: boolean
  /** From which commit on it waits for events, at which step. */
  waits: { seq: number; from: number; events: readonly string[] } | undefined
  /** Why the enrollment must end. It may take no more steps. */
  mustEnd: string | undefined
}

interface PastExit {
  whens: readonly string[]
  contactId: string
  enrollmentIds: ReadonlySet<string>
  waiting: ReadonlySet<string>
}

/** What is known about a life so far. */
export interface Ledger {
  now(): number
  /** How far the clocks of processes may differ. */
  skewMs: number
  /** Whether statements may fail, so that an enrollment may fail, too. */
  mayFail: boolean
  /** Whether steps may be taken again later. */
  mayDelay: boolean
  /** Whether the first automation of the workspace always throws. */
  isPoisoned: boolean
  count(what: string): void
  known: ReadonlyMap<string, Known>
  /** The enrollment that each message belongs to. */
  messagesOf: Map<string, string>
  optedOut: Set<string>
  /** How many commits there have been. */
  commits: number
  /** The commit that published an event, and who made it. */
  arrived: Map<string, { place: number; by: Commit['by'] }>
  /** The responses from outside, by step. */
  responses: Map<string, Map<string, string>>
  /** The automations that each event could start when it was committed. */
  startable: Map<string, ReadonlySet<string>>
  /** The exits so far. Each ends the enrollments that existed before it, and those started by an event that was in the inbox then. */
  exits: PastExit[]
  /** The exit that must end an enrollment, if there is one. */
  mustEnd(enrollment: SeenEnrollment): string | undefined
  publish(automationId: string, version: number, index: number, definition: Definition): void
  definitionOf(
    of: Pick<SeenEnrollment, 'automation_id' | 'version'>,
  ): { index: number; definition: Definition } | undefined
  see(enrollment: SeenEnrollment): Known | undefined
  nameOf(enrollment: SeenEnrollment): string
  /** The automations that an event starts, as far as that depends on the automations. */
  triggered(by: Snapshot, event: SeenEvent): Snapshot['automations']
}

export type Facts = Pick<Ledger, 'now' | 'skewMs' | 'mayFail' | 'mayDelay' | 'isPoisoned' | 'count'>

const activeStatuses = new Set(['queued', 'running', 'paused'])
export const isActive = ({ status }: SeenEnrollment) => activeStatuses.has(status)

export function newLedger({ now, skewMs, mayFail, mayDelay, isPoisoned, count }: Facts): Ledger {
  const definitions = new Map<string, { index: number; definition: Definition }>()
  const known = new Map<string, Known>()

  const definitionOf: Ledger['definitionOf'] = ({ automation_id, version }) =>
    definitions.get(`${automation_id}.${version}`)

  const exits: PastExit[] = []

  const mustEnd: Ledger['mustEnd'] = (one) => {
    const ends = definitionOf(one)?.definition.exits?.map(({ when }): string => when) ?? []
    return exits
      .filter(
        ({ contactId, enrollmentIds, waiting }) =>
          contactId === one.contact_id && (enrollmentIds.has(one.id) || waiting.has(one.event_id ?? '')),
      )
      .flatMap(({ whens }) => whens.filter((when) => ends.includes(when)))[0]
  }

  function see(enrollment: SeenEnrollment): Known | undefined {
    const seen = known.get(enrollment.id)
    if (seen !== undefined) return seen
    const version = definitionOf(enrollment)
    mustBe(
      version !== undefined,
      () => `an enrollment in version ${enrollment.version}, which is not published`,
    )
    if (version === undefined) return undefined
    const fresh: Known = {
      automationId: enrollment.automation_id,
      course: courseOf(version.definition),
      lastAt: 0,
      pausedAt: undefined,
      pausedMs: 0,
      wasPaused: false,
      planned: undefined,
      behind: undefined,
      lastSend: undefined,
      begun: undefined,
      wasMigrated: false,
      waits: undefined,
      mustEnd: mustEnd(enrollment),
    }
    known.set(enrollment.id, fresh)
    count('enrollments')
    return fresh
  }

  function nameOf({ id, automation_id, version }: SeenEnrollment): string {
    const number = [...known.keys()].indexOf(id)
    return `enrollment ${number} in A${definitions.get(`${automation_id}.${version}`)?.index}.${version}`
  }

  return {
    now,
    skewMs,
    mayFail,
    mayDelay,
    isPoisoned,
    count,
    known,
    messagesOf: new Map(),
    optedOut: new Set(),
    commits: 0,
    arrived: new Map(),
    responses: new Map(),
    startable: new Map(),
    exits,
    mustEnd,
    publish: (automationId, version, index, definition) =>
      void definitions.set(`${automationId}.${version}`, { index, definition }),
    definitionOf,
    see,
    nameOf,
    triggered: ({ automations }, { name, data }) =>
      automations.filter(({ id, enabled, version }) => {
        const definition = definitions.get(`${id}.${version}`)?.definition
        return (
          enabled &&
          definition?.triggers?.some(
            ({ event, conditions }) => event === name && (conditions === undefined || data['tag'] === 'go'),
          )
        )
      }),
  }
}
