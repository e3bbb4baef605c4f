import type { Kind } from './profiles.ts'

/** A plausible bug of the module: the file, the code, and the wrong code. */
export interface PlantedBug {
  name: string
  file: string
  find: string
  replace: string
  /** The lives that show it soon. */
  shows: Kind
  /** Found so soon that each run of the tests looks for it. */
  isSample?: boolean
}

type InFile = Omit<PlantedBug, 'file'>

const inQueueQueries: readonly InFile[] = [
  {
    name: 'an engine that has lost its lane writes on',
    find: 'return row?.fence === fence',
    replace: 'return row !== undefined || fence === undefined',
    shows: 'faults',
  },
  {
    name: 'the lane of a dead engine is never free',
    find: 'or held_until <= ${now}',
    replace: 'or held_until <= ${now} and false',
    shows: 'faults',
  },
  { name: 'the fence does not go up', find: 'fence = fence + 1', replace: 'fence = fence', shows: 'faults' },
  {
    name: 'what has been looked at stays in the inbox',
    find: 'and id = any (${ids}::text[])`',
    replace: 'and id = any (${ids}::text[]) and false`',
    shows: 'exits',
  },
  {
    name: 'what came for others is deleted too',
    find: 'and id = any (${ids}::text[])`',
    replace: 'and (true or id = any (${ids}::text[]))`',
    shows: 'crowds',
  },
  {
    name: 'a due lane is found ten minutes late',
    find: 'where next_at <= ${at} order by',
    replace: "where next_at <= ${at}::timestamptz - interval '10 min' order by",
    shows: 'waits',
  },
  {
    name: 'a lane that is let go is never due again',
    find: 'set next_at = ${nextAt}, holder_id',
    replace: 'set next_at = case when false then ${nextAt}::timestamptz end, holder_id',
    shows: 'waits',
    isSample: true,
  },
]

const inEngine: readonly InFile[] = [
  {
    name: 'the inbox is not looked at',
    find: '[...addressees, ...due].map',
    replace: '[...due].map',
    shows: 'exits',
  },
  {
    name: 'what is due is not looked at',
    find: '[...addressees, ...due].map',
    replace: '[...addressees].map',
    shows: 'waits',
  },
]

const inMove: readonly InFile[] = [
  {
    name: 'what has come ends nothing',
    find: "if (reason !== undefined) return void (await endEnrollment(tx, before, 'exited', reason))",
    replace: '',
    shows: 'exits',
    isSample: true,
  },
  {
    name: 'exits are not looked at between steps',
    find: 'taken === 0 ? undefined : await exit(contact)',
    replace: 'undefined as string | undefined',
    shows: 'changes',
  },
  {
    name: 'a paused enrollment goes on',
    find: "if (status === 'paused' || !(isDue || isWoken)) return",
    replace: 'if (!(isDue || isWoken)) return',
    shows: 'pauses',
    isSample: true,
  },
  {
    name: 'where it is is not written',
    find: '    step_key,\n    waiting_for,\n    due_at,\n    seq,\n    started_at,\n    status,\n    attempts: 0,',
    replace: '    waiting_for,\n    due_at,\n    seq,\n    started_at,\n    status,\n    attempts: 0,',
    shows: 'waits',
  },
  {
    name: 'the start is announced at each move',
    find: 'if (current.started_at === null) {',
    replace: 'if (current.started_at === null || taken === 0) {',
    shows: 'waits',
  },
  {
    name: 'one that was ended in the same move goes on',
    find: 'enrollment !== undefined && isActive(enrollment)',
    replace: 'enrollment !== undefined',
    shows: 'others',
  },
  {
    name: 'a contact is taken as it was before the other automation',
    find: 'found(current), news, outside)',
    replace: 'contact, news, outside)',
    shows: 'changes',
  },
  {
    name: 'what came before an enrollment ends it',
    find: "({ follows }) => follows.includes(id) || follows.includes(enrollment?.event_id ?? ''),",
    replace: '() => true,',
    shows: 'exits',
  },
  {
    name: 'what came after an enrollment does not concern it',
    find: 'follows.includes(id) || ',
    replace: '',
    shows: 'exits',
  },
  {
    name: 'what came after the trigger, and before the engine looked, does not count',
    find: " || follows.includes(enrollment?.event_id ?? '')",
    replace: '',
    shows: 'triggered',
  },
  {
    name: 'a disabled automation walks on',
    find: 'if (takesSteps && (await stopWith(tx, found(automation), before))) return',
    replace: '',
    shows: 'movement',
  },
  {
    name: 'two steps have one number',
    find: 'return { ...current, seq: current.seq + 1 }',
    replace: 'return current',
    shows: 'waits',
  },
  {
    name: 'a number is left out',
    find: 'return { ...current, seq: current.seq + 1 }',
    replace: 'return { ...current, seq: current.seq + 2 }',
    shows: 'waits',
  },
]

const inCore: readonly InFile[] = [
  {
    name: 'a span is cut short',
    find: 'now + spanMs(step.for)',
    replace: 'now + spanMs(step.for) * 0.95',
    shows: 'waits',
    isSample: true,
  },
  {
    name: 'a span is too long',
    find: 'now + spanMs(step.for)',
    replace: 'now + spanMs(step.for) * 1.05',
    shows: 'waits',
  },
  {
    name: 'a span is over at once',
    find: 'if (until !== null) return { ...advance',
    replace: 'if (until !== null || step.type === "wait") return { ...advance',
    shows: 'waits',
  },
  {
    name: 'the branch that was chosen is left out',
    find: 'reply.steps === null ? after(at) : { at: reply.steps, until: null }',
    replace: 'after(at)',
    shows: 'plain',
  },
]

const inTree: readonly InFile[] = [
  {
    name: 'the end of a branch is the end of all',
    find: 'return nextAfter(list, key, following)',
    replace: 'return nextAfter(list, key, null)',
    shows: 'branches',
  },
]

const inExits: readonly InFile[] = [
  {
    name: 'a reply ends nothing',
    find: "replied: ({ name, data }) => name === 'message.received'",
    replace: "replied: ({ name, data }) => name === 'message.sent'",
    shows: 'exits',
  },
  {
    name: 'a booking ends nothing',
    find: "'appointment.booked'",
    replace: "'appointment.made'",
    shows: 'exits',
  },
  {
    name: 'another owner ends nothing',
    find: "field === 'owner_id'",
    replace: "field === 'owner'",
    shows: 'exits',
  },
  {
    name: 'every message ends it',
    find: "name === 'message.received' && data['automatic'] !== true",
    replace: "name.startsWith('message.')",
    shows: 'exits',
  },
  { name: 'TRASH ends nothing', find: "if (stage === 'TRASH') return 'trash'", replace: '', shows: 'trash' },
  {
    name: 'conditions end nothing',
    find: 'return holds(prepareFor(conditionFields, exit.conditions), facts, moment)',
    replace: 'return false',
    shows: 'exits',
  },
]

const inSend: readonly InFile[] = [
  {
    name: 'the send window is ignored',
    find: 'if (openingAt(now) > now)',
    replace: 'if (openingAt(now) < now)',
    shows: 'sends',
  },
  {
    name: 'a message goes out days behind its time',
    find: 'if (now.getTime() - due > lateMs)',
    replace: 'if (now.getTime() - due > 99 * lateMs)',
    shows: 'outages',
  },
  {
    name: 'what follows a message does not wait for it',
    find: "if (fate === 'pending' && now.getTime() < ",
    replace: "if (fate === 'pending' && now.getTime() < 0 * ",
    shows: 'sends',
  },
  {
    name: 'a message that failed is sent again',
    find: "if (fate.outcome !== 'blocked') return proceed",
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
    isSample: true,
  },
  {
    name: 'the engine does not learn of a resumption',
    find: '    letter(tx, { contact_id })\n    return resumed',
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

const inEnter: readonly InFile[] = [
  {
    name: 'the conditions of a trigger are ignored',
    find: 'return conditions.some((one) => holds(prepareFor(conditionFields, one), facts, moment))',
    replace: 'return conditions.length > 0',
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
    find: 'if (!chain.includes(id)) await enter',
    replace: 'await enter',
    shows: 'loops',
  },
  {
    name: 'a disabled automation takes contacts',
    find: 'if (automation?.enabled !== true || automation.version === null) return',
    replace: 'if (automation === undefined || automation.version === null) return',
    shows: 'disabledOthers',
  },
]

const inAppend: readonly InFile[] = [
  {
    name: 'only what starts automations is left for the engine',
    find: 'if (is_trigger || follows.length > 0)',
    replace: 'if (is_trigger)',
    shows: 'exits',
  },
  {
    name: 'what starts automations is not left for the engine',
    find: 'if (is_trigger || follows.length > 0)',
    replace: 'if (follows.length > 0)',
    shows: 'entries',
    isSample: true,
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
    find: '  letter(tx, { contact_id: how.contact_id })\n',
    replace: '',
    shows: 'waits',
  },
]

const inAct: readonly InFile[] = [
  {
    name: 'a note is written twice',
    find: 'const note = await addNote(ctx, contact.id, step.body)',
    replace:
      'await addNote(ctx, contact.id, step.body)\n      const note = await addNote(ctx, contact.id, step.body)',
    shows: 'plain',
  },
  {
    name: 'a tag replaces the others',
    find: 'tags: [...contact.tags, step.tag]',
    replace: 'tags: [step.tag]',
    shows: 'plain',
  },
  {
    name: 'a tag is not removed',
    find: 'contact.tags.filter((tag) => tag !== step.tag)',
    replace: 'contact.tags.filter((tag) => tag !== step.key)',
    shows: 'plain',
  },
]

const inResumption: readonly InFile[] = [
  {
    name: 'spans go on during a pause',
    find: 'const pausedMs = Math.max(0, ',
    replace: 'const pausedMs = 0 * Math.max(0, ',
    shows: 'pauses',
  },
]

const within = (file: string, bugs: readonly InFile[]): PlantedBug[] => bugs.map((bug) => ({ ...bug, file }))

export const plantedBugs: readonly PlantedBug[] = [
  ...within('engine/queue-queries.ts', inQueueQueries),
  ...within('engine/engine.ts', inEngine),
  ...within('engine/move-contact.ts', inMove),
  ...within('definition/advance.ts', inCore),
  ...within('definition/tree.ts', inTree),
  ...within('engine/exits.ts', inExits),
  ...within('engine/send.ts', inSend),
  ...within('change-enrollment.ts', inChanges),
  ...within('engine/enter.ts', inEnter),
  ...within('append.ts', inAppend),
  ...within('enroll.ts', inEnroll),
  ...within('engine/act.ts', inAct),
  ...within('resumption.ts', inResumption),
]
