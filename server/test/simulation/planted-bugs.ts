/** A plausible bug: the file, the correct code, and the wrong code that replaces it. */
export interface PlantedBug {
  name: string
  file: string
  find: string
  replace: string
}

const inWorker: readonly Omit<PlantedBug, 'file'>[] = [
  {
    name: 'a delivery that has waited too long is sent',
    find: 'if (startedAt - claimedAt > maxWaitMs) {',
    replace: 'if (startedAt - claimedAt > 20 * maxWaitMs) {',
  },
  {
    name: 'a permit is not released after an exchange',
    find: 'for (const waiter of release(permits)) ready.push(waiter)',
    replace: '',
  },
  {
    name: 'a queue is not marked ready after an exchange',
    find: 'markReady(queue)\n        if (queue.mayHaveMore',
    replace: 'if (queue.mayHaveMore',
  },
  {
    name: 'the concurrency of a queue is ignored',
    find: ' || queue.inFlight >= queue.concurrency',
    replace: '',
  },
  {
    name: 'the delay counts from the start of an attempt',
    find: 'nextState(outcome, delivery.attempt, endedAt)',
    replace: 'nextState(outcome, delivery.attempt, startedAt)',
  },
  {
    name: 'a workspace can take all permits',
    find: 'newSemaphore<Queue>(limits.perWorkspace)',
    replace: 'newSemaphore<Queue>(limits.total)',
  },
  {
    name: 'a workspace can lease any number',
    find: 'limits.leasedPerWorkspace - count',
    replace: 'limits.leasedPerWorkspace',
  },
  {
    name: 'a failed settlement is dropped',
    find: 'if (!written && at < one.until) unsettled.push(one)',
    replace: 'if (at < 0) unsettled.push(one)',
  },
  {
    name: 'a settlement that has ended still counts',
    find: 'settling = false\n        settleFailed',
    replace: 'settleFailed',
  },
  {
    name: 'after a failed settlement there is no other',
    find: 'return settleLater(limits.retryMs)',
    replace: 'return',
  },
  {
    name: 'few results wait for others forever',
    find: 'return settleLater(limits.gatherMs)',
    replace: 'return',
  },
  { name: 'a settled delivery still counts as leased', find: '    leased--', replace: '' },
  { name: 'after a failed claim there is no other', find: 'scanAfter(limits.retryMs)', replace: 'void 0' },
  {
    name: 'a worker is idle and does not say so',
    find: 'idle: emptyScans >= limits.eagerPolls',
    replace: 'idle: false',
  },
  {
    name: 'a worker pauses for long before it says that it is idle',
    find: 'emptyScans <= limits.eagerPolls + 1',
    replace: 'emptyScans < limits.eagerPolls',
  },
  { name: 'a worker is not woken', find: 'emptyScans = 0\n      scanDue = true', replace: '' },
  {
    name: 'an idle worker that refills neither listens nor looks soon',
    find: 'else scanAfter(request.scan ? pauseAfter(claim, request) : limits.pollMs)',
    replace: 'else if (request.scan) scanAfter(pauseAfter(claim, request))',
  },
  { name: 'every scan starts over', find: 'if (scan) after = next', replace: '' },
  { name: 'refilled queues stay in the refill set', find: 'refill.clear()', replace: '' },
  { name: 'a worker claims while it claims', find: ' || claiming || ', replace: ' || ' },
  {
    name: 'a worker that stops goes on claiming',
    find: 'if (stopped !== undefined || claiming',
    replace: 'if (claiming',
  },
  {
    name: 'a stop does not wait for attempts in flight',
    find: 'if (leased === 0 && !claiming) stopped?.()',
    replace: 'stopped?.()',
  },
  {
    name: 'a stopping worker keeps its waiting deliveries',
    find: 'for (const { delivery, claimedAt } of waiting.splice(0)) releaseClaim(delivery, claimedAt)',
    replace: 'waiting.splice(0)',
  },
  {
    name: 'a claim that arrives after the stop is kept',
    find: 'else releaseClaim(delivery, now)',
    replace: '',
  },
  {
    name: 'a delivery without a permit is never released',
    find: 'releaseStale()\n    pump()',
    replace: 'pump()',
  },
]

const inEndpointQueue: readonly Omit<PlantedBug, 'file'>[] = [
  { name: 'failing endpoints use the shared permits', find: 'failing || (meanMs', replace: '(meanMs' },
  { name: 'slow endpoints use the shared permits', find: ' || (meanMs ?? 0) > slowMs', replace: '' },
  { name: 'a queue does not record failures', find: 'queue.failing = !ok', replace: '' },
  {
    name: 'concurrency grows without limit',
    find: 'Math.min(queue.concurrency * 2, limits.perEndpoint)',
    replace: 'queue.concurrency * 2',
  },
  {
    name: 'a new endpoint starts at full concurrency',
    find: 'failing ? limits.perEndpoint : limits.perNewEndpoint',
    replace: 'limits.perEndpoint',
  },
]

const inAlarm: readonly Omit<PlantedBug, 'file'>[] = [
  { name: 'an alarm rings but once', find: 'due = undefined\n', replace: '\n' },
  { name: 'an alarm cannot be advanced', find: ' && due <= at', replace: '' },
]

const inSemaphore: readonly Omit<PlantedBug, 'file'>[] = [
  { name: 'one permit too many', find: 'used >= limit', replace: 'used > limit' },
  { name: 'a waiter is not queued', find: 'exhausted.waiters.push(waiter)', replace: '' },
]

const inSchedule: readonly Omit<PlantedBug, 'file'>[] = [
  { name: 'a seventh attempt', find: '[1, 2, 4, 8, 16]', replace: '[1, 2, 4, 8, 16, 32]' },
  { name: 'only five attempts', find: '[1, 2, 4, 8, 16]', replace: '[1, 2, 4, 8]' },
  { name: 'the last gap is twice as long', find: '[1, 2, 4, 8, 16]', replace: '[1, 2, 4, 8, 32]' },
  { name: 'retries come a little early', find: 'minutes * 60_000', replace: 'minutes * 59_900' },
  { name: 'retries come too late', find: 'minutes * 60_000', replace: 'minutes * 70_000' },
  { name: 'a lease ends before the exchange', find: 'leaseMs = 15_000', replace: 'leaseMs = 4_000' },
  {
    name: 'the delay after an unreported attempt starts at its claim',
    find: 'leaseMs + ms)',
    replace: '0 + ms)',
  },
]

const inNextState: readonly Omit<PlantedBug, 'file'>[] = [
  { name: 'every response is a success', find: 'if (outcome.ok)', replace: 'if (!outcome.ok || outcome.ok)' },
  { name: 'the gaps do not grow', find: 'retryDelayMs(attempt)', replace: 'retryDelayMs(1)' },
  { name: 'a failure is tried again at once', find: 'endedAt + delay', replace: 'endedAt' },
]

const inQueue: readonly Omit<PlantedBug, 'file'>[] = [
  {
    name: 'a former claimant can settle',
    find: ' || row.claimedBy !== worker) return false\n    if (row.attempt !== attempt || row.claimedUntil !== claimedUntil) return false',
    replace: ') return false',
  },
  {
    name: 'a worker settles a released claim',
    find: ' || row.claimedUntil !== claimedUntil',
    replace: '',
  },
  {
    name: 'an attempt does not count',
    find: 'Math.min(row.attempt + 1, maxAttempts)',
    replace: 'row.attempt',
  },
  { name: 'a released claim counts as an attempt', find: 'made ? attempt : attempt - 1', replace: 'attempt' },
  {
    name: 'a claim says nothing of when the next one may be',
    find: 'claimedUntil: present + (unreportedDelaysMs[attempt - 1] ?? 0)',
    replace: 'claimedUntil: present',
  },
  {
    name: 'endpoints are not leased',
    find: 'if (isElsewhere && ',
    replace: 'if (isElsewhere && lease.until < 0 && ',
  },
  {
    name: 'an endpoint lease is not renewed',
    find: 'lease.until < present + leaseMs',
    replace: 'lease.until < present',
  },
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
  { name: 'claimed deliveries are claimed again', find: ' && isUnclaimed(row, present)', replace: '' },
  {
    name: 'the quota of a leased endpoint is ignored',
    find: 'query.quotas.get(id) ?? query.defaultQuota\n      found.push(...dueOf(endpoint,',
    replace: 'query.defaultQuota\n      found.push(...dueOf(endpoint,',
  },
  {
    name: 'a full workspace uses up the failing quota',
    find: 'if (hook.failing && ++ofFailing > query.failingQuota)',
    replace: 'if (hook.failing && ofFailing++ > 0 * query.failingQuota)',
  },
]

const within = (file: string, bugs: readonly Omit<PlantedBug, 'file'>[]): PlantedBug[] =>
  bugs.map((bug) => ({ ...bug, file }))

export const plantedBugs: readonly PlantedBug[] = [
  ...within('worker.ts', inWorker),
  ...within('endpoint-queue.ts', inEndpointQueue),
  ...within('alarm.ts', inAlarm),
  ...within('semaphore.ts', inSemaphore),
  ...within('schedule.ts', [...inSchedule, ...inNextState]),
  ...within('queue-model.ts', inQueue),
]
