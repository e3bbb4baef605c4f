import { type InFile, type PlantedBug, within } from './planted-bug.ts'

const inLaneQueries: readonly InFile[] = [
  {
    name: 'of the lanes that could be held, the same ones are each time',
    find: 'order by ${turn(lease)} limit ${limit} for update',
    replace: 'order by workspace_id limit ${limit} for update',
    shows: 'lanes',
  },
  {
    name: 'when a lane was held is not written',
    find: 'held_at = ${lease.now}, ',
    replace: '',
    shows: 'lanes',
  },
  {
    name: 'an engine that has lost its lane writes on',
    find: 'return row?.fence === fence',
    replace: 'return row !== undefined || fence === undefined',
    shows: 'faults',
  },
  {
    name: 'the lane of a dead engine is never free',
    find: 'or ${isLost(lease)})',
    replace: 'or ${isLost(lease)} and false)',
    shows: 'faults',
  },
  {
    name: 'the lane of an engine that died is forgotten',
    find: ', next_at = ${leaseEnd(lease)},\n      fence',
    replace: ',\n      fence',
    shows: 'faults',
  },
  { name: 'the fence does not go up', find: 'fence = fence + 1', replace: 'fence = fence', shows: 'faults' },
  {
    name: 'a due lane is found ten minutes late',
    find: 'where next_at <= ${at} or',
    replace: "where next_at <= ${at}::timestamptz - interval '10 min' or",
    shows: 'waits',
  },
  {
    name: 'a lane that is let go is never due again',
    find: 'set next_at = ${nextAt === null ? null : tx.clock.due(new Date(nextAt))}, holder_id',
    replace: 'set next_at = case when false then ${nextAt}::timestamptz end, holder_id',
    shows: 'waits',
    isSample: true,
  },
]

const inInboxQueries: readonly InFile[] = [
  {
    name: 'what has been looked at stays in the inbox',
    find: 'and id = any (${ids}::text[])`',
    replace: 'and id = any (${ids}::text[]) and false`',
    shows: 'exits',
  },
  {
    name: 'what came for others is deleted too',
    find: ' and contact_id = ${contactId} and id = any (${ids}::text[])`',
    replace: '`',
    shows: 'crowds',
  },
]

const inEngine: readonly InFile[] = [
  {
    name: 'a lane that an engine could not let go is held by itself',
    find: '            mayHoldMore = true\n            log',
    replace: '            log',
    shows: 'errors',
  },
  {
    name: 'the inbox is not looked at',
    find: 'listAddressees(ctx.db, ctx.clock.now(), perBatch)',
    replace: 'listAddressees(ctx.db, ctx.clock.now(), 0)',
    shows: 'exits',
  },
  {
    name: 'what is due is not looked at',
    find: 'listDueContacts(ctx.db, ctx.clock.now(), perBatch)',
    replace: 'listDueContacts(ctx.db, ctx.clock.now(), 0)',
    shows: 'waits',
  },
]

const inRetry: readonly InFile[] = [
  {
    name: 'an attempt counts for all that the contact is in',
    find: 'if (due.length < 2) return due',
    replace: 'if (due.length < 99) return due',
    shows: 'poisoned',
  },
]

const inMove: readonly InFile[] = [
  {
    name: 'an exit that is beyond what is looked at at once is overtaken',
    find: 'inbox.length < inboxLimit ? base',
    replace: 'inbox.length <= inboxLimit ? base',
    also: {
      file: 'enrollments/inbox/queries.ts',
      find: 'export const inboxLimit = 500',
      replace: 'export const inboxLimit = 1',
    },
    shows: 'exits',
  },
  {
    name: 'what has come ends nothing',
    find: "if (reason !== undefined) return void (await endEnrollment(tx, before, 'exited', reason))",
    replace: '',
    shows: 'exits',
    isSample: true,
  },
  {
    name: 'a paused enrollment goes on',
    find: "if (status === 'paused' || !(isDue || isWoken)) return",
    replace: 'if (!(isDue || isWoken)) return',
    shows: 'pauses',
    isSample: true,
  },
  {
    name: 'one that was stopped ends once more',
    find: 'enrollment !== undefined && isActive(enrollment)',
    replace: 'enrollment !== undefined',
    shows: 'stops',
  },
  {
    name: 'a contact is taken as it was before the other automation',
    find: 'inbox), orNotFound(current), news',
    replace: 'inbox), contact, news',
    shows: 'changes',
  },
  {
    name: 'what came before an enrollment ends it',
    find: "({ follows }) => starters.some((one) => follows.includes(one ?? ''))",
    replace: '() => true',
    shows: 'exits',
  },
  {
    name: 'what came after an enrollment does not concern it',
    find: 'const starters = [id, ',
    replace: 'const starters = [',
    shows: 'exits',
  },
  {
    name: 'what came after the trigger, and before the engine looked, does not count',
    find: ', enrollment?.event_id, entered?',
    replace: ', entered?',
    shows: 'triggered',
  },
  {
    name: 'a disabled automation moves on',
    find: 'if (takesSteps && (await stopWithOthers(tx, orNotFound(automation), runStatus, before))) return',
    replace: '',
    shows: 'movement',
  },
]

const inSteps: readonly InFile[] = [
  {
    name: 'exits are not looked at between steps',
    find: 'taken === 0 ? undefined : await exit(contact)',
    replace: 'undefined as string | undefined',
    shows: 'changes',
  },
  {
    name: 'a step sees the contact as it was',
    find: 'left = changed',
    replace: 'left = contact',
    shows: 'changes',
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

/** Bugs in the engine, and in the core that determines the next step. */
export const bugsOfMoves: readonly PlantedBug[] = [
  ...within('enrollments/engine/lane-queries.ts', inLaneQueries),
  ...within('enrollments/inbox/queries.ts', inInboxQueries),
  ...within('enrollments/engine/engine.ts', inEngine),
  ...within('enrollments/engine/move-contacts.ts', inMove),
  ...within('enrollments/engine/take-steps.ts', inSteps),
  ...within('enrollments/engine/retry-later.ts', inRetry),
  ...within('enrollments/advance.ts', inCore),
  ...within('automations/definition/tree.ts', inTree),
]
