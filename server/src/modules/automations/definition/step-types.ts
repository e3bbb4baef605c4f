import { Type, type TProperties } from 'typebox'
import type { Condition } from '#kernel/conditions/condition.ts'
import { orNotFound } from '#kernel/errors.ts'
import { type StepSpan, SpanSchema } from '#kernel/steps/span.ts'
import {
  type StepOf,
  type StepShape,
  type StepType,
  stepSchema,
  stepShape,
  stepText,
} from '#kernel/steps/step-type.ts'
import { taskStep } from '../../calendar/public.ts'
import { type Contact, ownerStep, pauseAiStep, stageStep, tagStep, untagStep } from '../../contacts/public.ts'
import { moveDealStep } from '../../deals/public.ts'
import { routeStep } from '../../leads/public.ts'
import { notifyMemberStep } from '../../mail/public.ts'
import { noteStep } from '../../timeline/public.ts'
import { enrollShape, stopShape, waitShape, waitUntilShape } from './control-steps.ts'
import {
  type AiMessageStep,
  type ReminderStep,
  type SendStep,
  type WebhookStep,
  aiMessageShape,
  reminderShape,
  sendShape,
  webhookShape,
} from './outside-steps.ts'

/**
 * The steps that change something in Gable at once, each offered by the module that owns the record. A new one is a file there, and a line
 * here.
 */
const actionTypes = [
  taskStep,
  tagStep,
  untagStep,
  stageStep,
  ownerStep,
  noteStep,
  pauseAiStep,
  notifyMemberStep,
  routeStep,
  moveDealStep,
] as const

type StepIn<S> = S extends { type: infer Name extends string; members: infer Members extends TProperties }
  ? StepOf<Name, Members>
  : never

export type ActionStep = StepIn<(typeof actionTypes)[number]>
type WaitStep = StepIn<typeof waitShape>
export type WaitUntilStep = StepIn<typeof waitUntilShape>
export type EnrollStep = StepIn<typeof enrollShape>
export type StopStep = StepIn<typeof stopShape>

export interface WaitForStep {
  key: string
  type: 'wait_for'
  events: { event: string; conditions?: Condition; steps?: AutomationStep[] }[]
  timeout: StepSpan
  on_timeout?: AutomationStep[]
}

export interface BranchStep {
  key: string
  type: 'branch'
  branches: { conditions: Condition; steps: AutomationStep[] }[]
  else?: AutomationStep[]
}

export type AutomationStep =
  | WaitStep
  | WaitUntilStep
  | WaitForStep
  | BranchStep
  | EnrollStep
  | StopStep
  | SendStep
  | ReminderStep
  | AiMessageStep
  | WebhookStep
  | ActionStep

/** Any step except `wait`, which `advance` handles itself. */
export type AskableStep = Exclude<AutomationStep, WaitStep>

export const conditions = { $ref: '#/$defs/AutomationCondition' }
export const steps = { type: 'array', maxItems: 100, items: { $ref: '#/$defs/AutomationStep' } }
const Steps = Type.Unsafe<AutomationStep[]>(steps)
const Conditions = Type.Unsafe<Condition>(conditions)
const closed = { additionalProperties: false }

const waitForShape = stepShape({
  type: 'wait_for',
  members: {
    events: Type.Array(
      Type.Object(
        { event: stepText(80), conditions: Type.Optional(Conditions), steps: Type.Optional(Steps) },
        closed,
      ),
      {
        minItems: 1,
        maxItems: 20,
        description:
          'The first of these events decides. Directly after a message, events since Gable accepted the message count, too.',
      },
    ),
    timeout: SpanSchema,
    on_timeout: Type.Optional(Steps),
  },
})

const branchShape = stepShape({
  type: 'branch',
  members: {
    branches: Type.Array(Type.Object({ conditions: Conditions, steps: Steps }, closed), {
      minItems: 1,
      maxItems: 20,
    }),
    else: Type.Optional(Steps),
  },
})

/** Every type of step, by its name. */
export const stepShapes: ReadonlyMap<string, StepShape> = new Map(
  [
    waitShape,
    waitUntilShape,
    waitForShape,
    branchShape,
    sendShape,
    reminderShape,
    aiMessageShape,
    webhookShape,
    ...actionTypes,
    enrollShape,
    stopShape,
  ].map((shape): [AutomationStep['type'], StepShape] => [shape.type, shape]),
)

/** The names of all types. */
export const stepNames = [...stepShapes.keys()] as AutomationStep['type'][]

/** The schema of each step type. */
export const stepSchemas: ReadonlyMap<string, object> = new Map(
  [...stepShapes].map(([name, shape]) => [name, stepSchema(shape)]),
)

const actions: ReadonlyMap<string, StepType<Contact>> = new Map(actionTypes.map((type) => [type.type, type]))

/** What takes an action step, and predicts its result. */
export const actionOf = ({ type }: ActionStep): StepType<Contact> => orNotFound(actions.get(type))
