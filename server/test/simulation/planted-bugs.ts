/** A fault that somebody might make: in which file, what stands there, and what would stand there instead. */
export interface PlantedBug {
  name: string
  file: string
  find: string
  replace: string
}

const inWorker: readonly Omit<PlantedBug, 'file'>[] = [
  {
    name: 'what has waited too long is sent all the same',
    find: 'if (startedAt - claimedAt > maxWaitMs) {',
    replace: 'if (startedAt - claimedAt > 20 * maxWaitMs) {',
  },
  {
    name: 'a slot is not given back after an exchange',
    find: 'for (const waiting of giveBack(slots)) line.push(waiting)',
    replace: '',
  },
  {
    name: 'a lane whose exchange has ended does not get back in line',
    find: 'queue(lane)\n        if (lane.more',
    replace: 'if (lane.more',
  },
  { name: 'the width of a lane is not looked at', find: ' || lane.inFlight >= lane.width', replace: '' },
  {
    name: 'the gap is counted from the beginning of an attempt',
    find: 'verdictOn(outcome, delivery.attempt, endedAt)',
    replace: 'verdictOn(outcome, delivery.attempt, startedAt)',
  },
  {
    name: 'every workspace may have all slots',
    find: 'newSlots<Lane<D>>(limits.perWorkspace)',
    replace: 'newSlots<Lane<D>>(limits.total)',
  },
  {
    name: 'a workspace may have any number in hand',
    find: 'limits.heldPerWorkspace - count',
    replace: 'limits.heldPerWorkspace',
  },
  {
    name: 'what could not be settled is dropped',
    find: 'if (!written && at < one.until) ended.push(one)',
    replace: 'if (at < 0) ended.push(one)',
  },
  { name: 'settlements that have ended still count', find: 'settling--', replace: '' },
  {
    name: 'after a failed settlement there is no other',
    find: 'maySettle = true\n              pump()',
    replace: 'pump()',
  },
  { name: 'what was let go still counts as in hand', find: 'inHand--', replace: '' },
  { name: 'after a failed claim there is no other', find: 'lookAfter(limits.retryMs)', replace: 'void 0' },
  { name: 'the look around always begins at the beginning', find: 'if (around) after = next', replace: '' },
  { name: 'hungry lanes stay hungry', find: 'hungry.clear()', replace: '' },
  { name: 'a worker claims while it claims', find: ' || claiming || ', replace: ' || ' },
  {
    name: 'a worker that stops goes on claiming',
    find: 'if (stopped !== undefined || claiming',
    replace: 'if (claiming',
  },
  {
    name: 'a stop does not wait for what is in flight',
    find: 'if (inHand === 0 && !claiming) stopped?.()',
    replace: 'stopped?.()',
  },
  {
    name: 'a worker that stops keeps what waits',
    find: 'for (const { delivery, claimedAt } of waiting.splice(0)) giveUp(delivery, claimedAt)',
    replace: 'waiting.splice(0)',
  },
  {
    name: 'a claim that is answered after the stop is kept',
    find: 'else giveUp(delivery, now)',
    replace: '',
  },
  {
    name: 'what waits for a slot is never given back',
    find: 'giveBackStale()\n      pump()',
    replace: 'pump()',
  },
]

const inLane: readonly Omit<PlantedBug, 'file'>[] = [
  { name: 'those that fail use the slots of all', find: 'failing || (paceMs', replace: '(paceMs' },
  { name: 'those that are slow use the slots of all', find: ' || (paceMs ?? 0) > slowMs', replace: '' },
  { name: 'a lane never learns that its endpoint fails', find: 'lane.failing = !ok', replace: '' },
  {
    name: 'a lane grows without end',
    find: 'Math.min(lane.width * 2, limits.perEndpoint)',
    replace: 'lane.width * 2',
  },
  {
    name: 'a new endpoint is trusted like an old one',
    find: 'failing ? limits.perEndpoint : limits.perNewEndpoint',
    replace: 'limits.perEndpoint',
  },
]

const inSlots: readonly Omit<PlantedBug, 'file'>[] = [
  { name: 'one slot more than there are', find: 'used >= limit', replace: 'used > limit' },
  { name: 'who finds no slot is not put down', find: 'full.parked.push(taker)', replace: '' },
]

const inSchedule: readonly Omit<PlantedBug, 'file'>[] = [
  { name: 'a seventh attempt', find: '[1, 2, 4, 8, 16]', replace: '[1, 2, 4, 8, 16, 32]' },
  { name: 'only five attempts', find: '[1, 2, 4, 8, 16]', replace: '[1, 2, 4, 8]' },
  { name: 'the last gap is twice as long', find: '[1, 2, 4, 8, 16]', replace: '[1, 2, 4, 8, 32]' },
  { name: 'retries come a little early', find: 'minutes * 60_000', replace: 'minutes * 59_900' },
  { name: 'retries come too late', find: 'minutes * 60_000', replace: 'minutes * 70_000' },
  { name: 'a lease ends before the exchange', find: 'leaseMs = 15_000', replace: 'leaseMs = 4_000' },
  {
    name: 'the gap after an unheard attempt begins at its claim',
    find: 'leaseMs + (retryDelayMs',
    replace: '0 + (retryDelayMs',
  },
]

const inVerdict: readonly Omit<PlantedBug, 'file'>[] = [
  { name: 'any answer is a success', find: 'if (outcome.ok)', replace: 'if (!outcome.ok || outcome.ok)' },
  { name: 'the gaps do not grow', find: 'retryDelayMs(attempt)', replace: 'retryDelayMs(1)' },
  { name: 'a failure is tried again at once', find: 'endedAt + delay', replace: 'endedAt' },
]

const inQueue: readonly Omit<PlantedBug, 'file'>[] = [
  {
    name: 'whoever had it in hand may settle, whoever has it now',
    find: ' || row.claimedBy !== worker) return false\n    if (row.attempt !== attempt || row.claimedUntil !== claimedUntil) return false',
    replace: ') return false',
  },
  {
    name: 'what a worker gave back it settles again',
    find: ' || row.claimedUntil !== claimedUntil',
    replace: '',
  },
  {
    name: 'an attempt does not count',
    find: 'Math.min(row.attempt + 1, maxAttempts)',
    replace: 'row.attempt',
  },
  { name: 'what is given back counts', find: 'made ? attempt : attempt - 1', replace: 'attempt' },
  {
    name: 'a claim says nothing of when the next one may be',
    find: 'claimedUntil: now + (unheardDelaysMs[attempt - 1] ?? 0)',
    replace: 'claimedUntil: now',
  },
  { name: 'nobody holds an endpoint', find: ' && hold.until > now', replace: ' && hold.until < 0' },
  { name: 'a hold is not taken anew', find: 'hold.until < now + leaseMs', replace: 'hold.until < now' },
  { name: 'a paused webhook gets its deliveries', find: '!hook.paused && ', replace: '' },
  {
    name: 'scopes are looked at but once',
    find: ' && hook.scopes.includes(row.scope)',
    replace: '',
  },
  {
    name: 'retries go by the wall clock',
    find: '(row.attempt === 0 || row.dueAt <= now)',
    replace: 'row.attempt >= 0',
  },
  { name: 'what is in hand is claimed again', find: ' && isUnclaimed(row, now)', replace: '' },
  {
    name: 'an endpoint in hand is given as much as any other',
    find: 'query.rooms.get(id) ?? query.roomElse\n      found.push(...dueOf(endpoint,',
    replace: 'query.roomElse\n      found.push(...dueOf(endpoint,',
  },
  {
    name: 'a workspace takes the room of others that fail',
    find: 'if (hook.failing && ++ofFailing > query.failingRoom)',
    replace: 'if (hook.failing && ofFailing++ > 0 * query.failingRoom)',
  },
]

const within = (file: string, bugs: readonly Omit<PlantedBug, 'file'>[]): PlantedBug[] =>
  bugs.map((bug) => ({ ...bug, file }))

export const plantedBugs: readonly PlantedBug[] = [
  ...within('worker.ts', inWorker),
  ...within('lane.ts', inLane),
  ...within('slots.ts', inSlots),
  ...within('schedule.ts', inSchedule),
  ...within('verdict.ts', inVerdict),
  ...within('queue-model.ts', inQueue),
]
