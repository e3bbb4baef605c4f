import type { Ctx, Tx } from '#kernel/context.ts'
import type { Db } from '#kernel/db/handles.ts'
import type { JournalRow } from '#kernel/events/journal.ts'
import { type StepFact, type StepQuestion, fact } from '#kernel/steps/step-type.ts'
import type { Automation, EnrollmentFacts, Definition, findVersion } from '../../automations/public.ts'
import type { Contact } from '../../contacts/public.ts'
import type { StepReply } from '../advance.ts'
import type { Enrollment, StepRecord, WaitingFor } from '../enrollment.ts'
import { idIn } from '../facts/load-facts.ts'

/** What is needed to judge a step. */
export interface JudgeScene {
  ctx: Ctx
  tx: Db
  timezone: string
  workspaceName: string
  now: Date
  /** In a dry run: the marketing texts that are assumed to have been sent within 24 hours. */
  assumedTexts?: number
}

/** What is needed to move a contact, whose lock the engine holds. `tx` also serves use cases of other modules. */
export interface MoveScene extends JudgeScene {
  tx: Tx
  /** Reads a version only once, because versions never change. */
  versionOf: (automationId: string, version: number) => ReturnType<typeof findVersion>
  /** Whether an enrollment takes steps. If not, its contact only enters and exits. */
  takesStepsOf: (enrollmentId: string) => boolean
  /** The status of each campaign that the contacts are enrolled in. It cannot become paused or cancelled until the transaction ends. */
  runs: ReadonlyMap<string, string>
}

/** A step to take, with what it needs. */
export interface AskedStep<S> {
  step: S
  enrollment: Enrollment
  automation: Automation
  definition: Definition
  facts: EnrollmentFacts
  chain: readonly string[]
  /** The steps taken so far, in order. */
  history: () => Promise<readonly StepRecord[]>
  /** Events since the engine last looked, except those that automations caused. */
  news: readonly JournalRow[]
}

export interface StepResult {
  reply: StepReply
  /** Null if there is nothing to add to the history. */
  fact: StepFact | null
  /** With `retry`: what the enrollment waits for. */
  waiting?: WaitingFor
  /** The contact as the step left it, if known. */
  contact?: Contact
  /** When the step was due, if different from `due_at` of the enrollment. */
  due?: string
}

export const result = (...given: Parameters<typeof fact>): StepResult => ({
  reply: { kind: 'done' },
  fact: fact(...given),
})

/** Continues without another entry in the history. */
export const proceed: StepResult = { reply: { kind: 'done' }, fact: null }

/** Asks the step again when what it waits for arrives, and at `until` at the latest. */
export const waitFor = (
  waiting: WaitingFor & { until: string },
  recorded: StepFact | null = null,
): StepResult => ({
  reply: { kind: 'retry', at: Date.parse(waiting.until) },
  fact: recorded,
  waiting,
})

/** What an action step needs to know. */
export const questionOf = (
  { ctx, tx, now }: JudgeScene,
  { facts, automation }: Pick<AskedStep<unknown>, 'facts' | 'automation'>,
): StepQuestion<Contact> => ({
  ctx,
  tx,
  now,
  person: facts.contact,
  idOf: (type) => idIn(facts, type),
  title: automation.name,
})

/** A context in which use cases of other modules run in the transaction of a move. */
export function contextIn(base: Ctx, tx: MoveScene['tx']): Ctx {
  const ctx: Ctx = {
    ...base,
    actor: tx.actor,
    db: tx,
    lookups: () => tx,
    transaction: (work) => work(tx),
    unrestricted: () => ctx,
  }
  return ctx
}
