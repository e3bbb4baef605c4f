import { bugsOfListening } from './bugs-of-listening.ts'
import { bugsOfMoves } from './bugs-of-moves.ts'
import { type InFile, type PlantedBug, within } from './planted-bug.ts'

const inExits: readonly InFile[] = [
  { name: 'TRASH ends nothing', find: "if (stage === 'TRASH') return 'trash'", replace: '', shows: 'trash' },
  {
    name: 'conditions end nothing',
    find: 'return holds(prepareFor(conditionFields, exit.conditions), facts, moment)',
    replace: 'return false',
    shows: 'exits',
  },
]

const inPlanSend: readonly InFile[] = [
  {
    name: 'the send window is ignored',
    find: 'if (openingAt(now) > now)',
    replace: 'if (openingAt(now) < now)',
    shows: 'sends',
  },
]

const inJudgeSend: readonly InFile[] = [
  {
    name: 'a message goes out days behind its time',
    find: 'now.getTime() - Date.parse(due) > lateMs',
    replace: 'now.getTime() - Date.parse(due) > 99 * lateMs',
    shows: 'outages',
  },
]

const inSend: readonly InFile[] = [
  {
    name: 'what follows a message does not wait for it',
    find: 'const silentMs = 2 * 3_600_000',
    replace: 'const silentMs = 0',
    shows: 'sends',
  },
  {
    name: 'what follows a message does not wait until it begins to be sent',
    find: '&& isUnbegun(message))',
    replace: '&& isUnbegun(message) && false)',
    shows: 'sends',
  },
  {
    name: 'a message that failed is sent again',
    find: "if (state.outcome !== 'blocked') return proceed",
    replace: '',
    shows: 'sends',
  },
]

const inChanges: readonly InFile[] = [
  {
    name: 'what waits to be sent outlives its enrollment',
    find: 'messages.length === 0 ? [] : await cancelUnsent(tx.unrestricted(), messages)',
    replace: '[] as string[]',
    shows: 'sends',
  },
  {
    name: 'the engine does not learn of a resumption',
    find: '    appendToInbox(tx, { contact_id })\n    return resumed',
    replace: '    return resumed',
    shows: 'pauses',
  },
  {
    name: 'an erasure leaves enrollments as they are',
    find: "isActive(enrollment) ? await endEnrollment(tx, enrollment, 'exited', 'erased') : enrollment",
    replace: 'enrollment',
    shows: 'erasures',
  },
  {
    name: 'an erasure leaves what the request brought',
    find: 'if (ended.context !== null) saveEnrollment(tx, ended.id, { context: null })',
    replace: '',
    shows: 'erasures',
  },
]

const inWaitUntil: readonly InFile[] = [
  {
    name: 'what waits for a date goes on an hour early',
    find: 'if (at <= now.getTime()) return',
    replace: 'if (at <= now.getTime() + 3_600_000) return',
    shows: 'dates',
  },
  {
    name: 'a cancelled appointment is waited for',
    find: "if (appointment === undefined || appointment.status === 'cancelled') return undefined",
    replace: 'if (appointment === undefined) return undefined',
    shows: 'dates',
  },
]

const inWaitFor: readonly InFile[] = [
  {
    name: 'what waits for an event gives up early',
    find: 'later(now, spanMs(step.timeout))',
    replace: 'later(now, spanMs(step.timeout) / 2)',
    shows: 'events',
  },
]

const inObstacles: readonly InFile[] = [
  {
    name: 'the conditions of a trigger are ignored',
    find: '!(await judge()).some(holdsNow)',
    replace: '!(await judge()).some(() => true)',
    shows: 'entries',
  },
  {
    name: 'a contact enters again who has been in it',
    find: "if (re_enrollment === 'always') return true",
    replace: 'if (re_enrollment !== null) return true',
    shows: 'entries',
  },
  {
    name: 'a contact enters but once',
    find: "if (re_enrollment === 'always') return true",
    replace: '',
    shows: 'entries',
  },
  {
    name: 'an automation starts itself',
    find: "if (chain.includes(id)) yield { reason: 'loop' }",
    replace: '',
    shows: 'loops',
  },
  {
    name: 'a disabled automation takes contacts',
    find: 'if (!enabled || version === null) yield',
    replace: 'if (version === null) yield',
    shows: 'disabledOthers',
  },
]

const inEnroll: readonly InFile[] = [
  {
    name: 'a contact follows the first version',
    find: '    version: version ?? 0,\n',
    replace: '    version: Math.min(version ?? 0, 1),\n',
    shows: 'movement',
  },
  {
    name: 'the engine does not learn of an enrollment',
    find: '  appendToInbox(tx, { contact_id: how.contact_id })\n',
    replace: '',
    shows: 'waits',
  },
]

const inNoteStep: readonly InFile[] = [
  {
    name: 'a note is written twice',
    find: 'const note = await addNote(ctx, person.id, body)',
    replace: 'await addNote(ctx, person.id, body)\n    const note = await addNote(ctx, person.id, body)',
    shows: 'plain',
  },
]

const inContactSteps: readonly InFile[] = [
  {
    name: 'a tag replaces the others',
    find: 'tags: [...person.tags, tag] }',
    replace: 'tags: [tag] }',
    shows: 'plain',
  },
  {
    name: 'a tag is not removed',
    find: 'tags.filter((tag) => tagKey(tag) !== tagKey(removed))',
    replace: 'tags.filter((tag) => tagKey(tag) !== `${removed} `)',
    shows: 'plain',
  },
]

const inUpdateDeal: readonly InFile[] = [
  {
    name: 'a deal changes without the lock of its contact',
    find: 'lockNamedForShare(tx, contactsIn(patch), contactsOf(known))',
    replace: 'lockNamedForShare(tx, contactsIn(patch))',
    shows: 'deals',
  },
]

const inAskOutside: readonly InFile[] = [
  {
    name: 'no response is waited for',
    find: 'const patienceMs = 2 * 3_600_000',
    replace: 'const patienceMs = 0',
    shows: 'webhooks',
  },
  {
    name: 'what failed outside is done',
    find: 'return result(outcome, reason, refs)',
    replace: "return result('done', reason, refs)",
    shows: 'webhooks',
  },
]

const inMigrate: readonly InFile[] = [
  {
    name: 'a migration begins from the start',
    find: '    step_key: step.key,\n',
    replace: '    step_key: to.definition.steps[0]?.key ?? null,\n',
    shows: 'migrations',
  },
  {
    name: 'a migration takes a step for another of the same key',
    find: "if (before.started_at !== null && step.type !== old?.type) return 'step_differs'",
    replace: '',
    shows: 'migrations',
  },
]

const inWaits: readonly InFile[] = [
  {
    name: 'what waits for an appointment does not follow it',
    find: "    case 'date': {\n",
    replace: "    case 'hours': {\n",
    shows: 'dates',
  },
]

const inResponses: readonly InFile[] = [
  {
    name: 'a late response counts for the step after',
    find: 'one.enrollment_id === id && one.seq === seq',
    replace: 'one.enrollment_id === id && one.seq !== null',
    shows: 'webhooks',
  },
  {
    name: 'the last of several responses counts',
    find: 'const response = inbox.find(',
    replace: 'const response = inbox.findLast(',
    shows: 'webhooks',
  },
]

const inResumption: readonly InFile[] = [
  {
    name: 'nothing is late after a pause',
    find: 'planned_at: isEarly ? null : planned,',
    replace: 'planned_at: null,',
    shows: 'longPauses',
  },
  {
    name: 'spans go on during a pause',
    find: 'const pausedMs = Math.max(0, ',
    replace: 'const pausedMs = 0 * Math.max(0, ',
    shows: 'pauses',
  },
]

export const plantedBugs: readonly PlantedBug[] = [
  ...bugsOfMoves,
  ...within('enrollments/facts/exits.ts', inExits),
  ...within('enrollments/steps/plan-send.ts', inPlanSend),
  ...within('enrollments/steps/judge-send.ts', inJudgeSend),
  ...within('enrollments/steps/send.ts', inSend),
  ...within('enrollments/change-enrollment.ts', inChanges),
  ...within('enrollments/entries/find-obstacles.ts', inObstacles),
  ...within('enrollments/steps/wait-until.ts', inWaitUntil),
  ...within('enrollments/steps/wait-for.ts', inWaitFor),
  ...bugsOfListening,
  ...within('enrollments/enroll.ts', inEnroll),
  ...within('timeline/note-step.ts', inNoteStep),
  ...within('contacts/steps.ts', inContactSteps),
  ...within('enrollments/resumption.ts', inResumption),
  ...within('deals/update-deal.ts', inUpdateDeal),
  ...within('enrollments/steps/outside/ask-outside.ts', inAskOutside),
  ...within('enrollments/migrate-enrollment.ts', inMigrate),
  ...within('enrollments/engine/is-awaited-in.ts', inWaits),
  ...within('enrollments/engine/move-contacts.ts', inResponses),
]
