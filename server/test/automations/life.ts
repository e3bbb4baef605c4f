import { systemClock } from '#kernel/clock.ts'
import { newId } from '#kernel/ids.ts'
import { batches } from '../../src/modules/backfills/batches.ts'
import { enableAutomation } from '../../src/modules/backfills/changes/enable-automation.ts'
import { changeEnrollment } from '../../src/modules/enrollments/change-enrollment.ts'
import { createEngine } from '../../src/modules/enrollments/engine/engine.ts'
import { moveContacts } from '../../src/modules/enrollments/engine/move-contacts.ts'
import { seededRandom } from '../../src/seed/random.ts'
import { mustBe } from '../simulation/violation.ts'
import { beforeMs } from './check-steps.ts'
import { type DeedKind, drawDeed, sendSome } from './deeds.ts'
import { type Home, openHome } from './home.ts'
import { type Commit, isActive } from './ledger.ts'
import { type Actor, type Fault, type Task, createLockstep } from './lockstep.ts'
import { type Profile, plain } from './profile.ts'
import { type Snapshot, takeSnapshot } from './snapshot.ts'
import { type World, contextOf, runtimeOf, start } from './world.ts'

/** After this, another engine can lease a held lane. Due work then moves within `promptMs`. */
const leaseMs = 31_000
const promptMs = 5_000
const tickMs = 500

export type Counters = Record<string, number>

/** Simulates one life, from the first enrollment until all have ended. Throws a `Violation`. */
export async function live(
  world: World,
  seed: number,
  {
    counters = {},
    profile = {},
    trace,
  }: { counters?: Counters; profile?: Partial<Profile>; trace?: (line: string) => void } = {},
): Promise<{ ms: number }> {
  const random = seededRandom(seed)
  const like = { ...plain, ...profile, deeds: profile.deeds ?? plain.deeds }
  let at = start + random.integer(0, 12) * 3_600_000
  const begunAt = at
  const now = () => at
  const count = (what: string) => void (counters[what] = (counters[what] ?? 0) + 1)
  const skew = (most = like.skewMs) => (random.chance(0.5) ? 0 : random.integer(-most, most))
  await forgetOthers(world)

  const clock = { ...systemClock, now: () => new Date(at), shared: () => new Date(at), elapsed: now }
  const log = (line: string) => trace?.(`${((at - begunAt) / 1000).toFixed(1).padStart(9)} ${line}`)
  const mayFail = like.faults > 0
  const mayDelay = mayFail || like.isFlaky
  const facts = { now, skewMs: like.skewMs, mayFail, mayDelay, isPoisoned: like.isPoisoned, count }
  const homes: Home[] = []
  for (let n = random.weighted(like.workspaces); n > 0; n--)
    homes.push(await openHome(world, { clock, random, like, facts, log }))
  const commits = new Map<Task, Commit>()

  await using lockstep = createLockstep({
    database: world.runtime.database,
    queue: world.queue,
    now,
    grain: random.weighted(like.grains),
    countWaits: () => world.countWaits(),
    async onCommit(task, workspaceId) {
      const commit = commits.get(task) ?? { by: 'person' as const, name: task.name }
      const home = homes.find(({ place }) => place.id === workspaceId)
      if (home === undefined) return
      home.seen = await takeSnapshot(world.watch, workspaceId)
      log(`${task.actor.name} ${task.name}: committed`)
      try {
        home.checks.committed(commit, home.seen)
      } catch (error) {
        violation ??= error
      }
    },
  })
  let violation: unknown

  interface Host {
    actor: Actor
    engine: ReturnType<typeof createEngine>
  }
  let engines = 0
  function newHost(): Host {
    const actor = lockstep.newActor(`engine ${++engines}`, skew())
    const move = like.isPoisoned || like.isFlaky ? { move: like.isPoisoned ? poisoned : flaky } : {}
    const options = { ...move, mostLanes: like.lanes, atOnce: 1 }
    return { actor, engine: createEngine(runtimeOf(world, actor), actor.queue, actor.name, batches, options) }
  }
  /** Throws whenever a step of the first automation is about to be taken. */
  const poisoned: typeof moveContacts = async (ctx, hold, contactIds, takes = 'all') => {
    const home = homes.find(({ place }) => place.id === hold.workspaceId)
    const isTaken = (id: string) => takes === 'all' || (takes !== 'none' && takes.only === id)
    const throws = home?.seen.enrollments.some(
      (one) =>
        one.automation_id === home.automationIds[0] &&
        isActive(one) &&
        contactIds.includes(one.contact_id) &&
        isTaken(one.id) &&
        Date.parse(one.due_at ?? '') <= ctx.clock.now().getTime(),
    )
    if (throws) throw new Error('poisoned')
    await moveContacts(ctx, hold, contactIds, takes)
  }
  /** Throws up to four times whenever a step is about to be taken, and then takes it. */
  const flaky: typeof moveContacts = async (ctx, hold, contactIds, takes = 'all') => {
    const home = homes.find(({ place }) => place.id === hold.workspaceId)
    const fails = home?.seen.enrollments.some(
      (one) =>
        isActive(one) &&
        one.status !== 'paused' &&
        contactIds.includes(one.contact_id) &&
        (takes === 'all' || (takes !== 'none' && takes.only === one.id)) &&
        Date.parse(one.due_at ?? '') <= ctx.clock.now().getTime() &&
        one.attempts < (one.seq * 3 + seed) % 5,
    )
    if (fails) throw new Error('flaky')
    await moveContacts(ctx, hold, contactIds, takes)
  }
  let hosts: Host[] = Array.from({ length: like.engines }, newHost)
  const sender = lockstep.newActor('sender', 0)
  let people = 0
  let killedAt = Number.NEGATIVE_INFINITY

  function drawFault(): Fault | undefined {
    if (!random.chance(like.faults)) return undefined
    const statement = random.integer(1, random.pick([4, 12, 40, 80]))
    const kind = random.pick(like.faultKinds)
    count(kind)
    return kind === 'stall'
      ? { kind, at: statement, ms: random.pick([2000, 16_000, 40_000]) }
      : { kind, at: statement }
  }

  async function tick({ actor, engine }: Host, fault?: Fault): Promise<Task> {
    const task = await lockstep.begin(
      actor,
      fault === undefined ? 'tick' : `tick, ${fault.kind} at ${fault.at}`,
      () => engine.tick(),
      fault,
    )
    commits.set(task, { by: 'engine', name: actor.name })
    return task
  }

  async function send({ place }: Home): Promise<Task> {
    const task = await lockstep.begin(sender, 'sends', () =>
      sendSome(runtimeOf(world, sender), place, random),
    )
    commits.set(task, { by: 'sender', name: 'sender' })
    return task
  }

  async function act(kind: DeedKind): Promise<void> {
    // Publish only one definition at a time, so that its version number is known.
    if (
      (kind === 'publish' || kind === 'migrate') &&
      [...lockstep.tasks].some(({ name }) => name === 'publish')
    )
      return
    const home = random.pick(homes)
    const { place, automationIds, seen, redefine } = home
    const deed = drawDeed(kind, { random, place, automationIds, seen, redefine })
    if (deed === undefined) return
    const actor = lockstep.newActor(`person ${++people}`, skew(like.personSkewMs))
    const task = await lockstep.begin(actor, deed.name, () => deed.run(contextOf(world, actor, place.id)))
    commits.set(task, { ...deed, by: 'person' })
    count(kind)
  }

  async function pass(ms: number): Promise<void> {
    at += ms
    await lockstep.timePassed()
  }

  async function finishAll(): Promise<void> {
    for (let n = 0; lockstep.tasks.size > 0; n++) {
      mustBe(n < 5000, () => `never over: ${[...lockstep.tasks].map(({ name }) => name).join()}`)
      const [task] = lockstep.ready()
      if (task !== undefined) await lockstep.step(task)
      else await pass(1000)
      if (violation !== undefined) throw violation
    }
  }

  const deeds = Object.entries(like.deeds) as [DeedKind, number][]

  async function choose(): Promise<void> {
    const ready = lockstep.ready()
    if (ready.length > 0 && (lockstep.tasks.size >= 4 || random.chance(0.7)))
      return lockstep.step(random.pick(ready))
    const what = random.weighted([
      ['tick', 5],
      ['deed', 4],
      ['send', 1],
      ['pass', 3],
    ])
    if (what === 'pass') return pass(random.weighted(like.passes))
    if (lockstep.tasks.size >= 4) return pass(500)
    if (what === 'deed') return act(random.weighted(deeds))
    if (what === 'send') return sender.task === undefined ? void (await send(random.pick(homes))) : undefined
    const free = hosts.filter(({ actor }) => actor.task === undefined)
    if (free.length > 0) await tick(random.pick(free), drawFault())
    const dead = hosts.filter(({ actor }) => actor.isDead)
    if (dead.length > 0) killedAt = at
    hosts = [...hosts.filter(({ actor }) => !actor.isDead), ...dead.map(newHost)]
  }

  for (let n = 0; n < like.choices; n++) {
    await choose()
    if (violation !== undefined) throw violation
  }
  await finishAll()
  if (hosts.some(({ actor }) => actor.isDead)) killedAt = at
  // Lanes of a dead engine wait until its lease expires. All other due work moves at once.
  await pass(Math.max(0, killedAt + leaseMs - at))

  // No more faults from here on: everything that is due must move, and everything must end.
  hosts = hosts.filter(({ actor }) => !actor.isDead)
  while (hosts.length < 2) hosts.push(newHost())
  for (const home of homes) {
    for (const id of home.automationIds) await calm(home, 'enable', (ctx) => enableAutomation(ctx, id))
    for (const { id, status } of home.seen.enrollments)
      if (status === 'paused') await calm(home, 'resume', (ctx) => resume(ctx, id))
  }

  async function calm(
    { place }: Home,
    name: string,
    run: (ctx: ReturnType<typeof contextOf>) => Promise<unknown>,
  ): Promise<void> {
    const actor = lockstep.newActor(`person ${++people}`, 0)
    const task = await lockstep.begin(actor, name, () => run(contextOf(world, actor, place.id)))
    commits.set(task, { by: 'person', name })
    await finishAll()
  }

  const active = () => homes.flatMap(({ seen }) => seen.enrollments).filter(isActive)
  const waiting = () => homes.flatMap(({ seen }) => seen.inbox)
  for (let rounds = 0; rounds === 0 || active().length > 0 || waiting().length > 0; rounds++) {
    mustBe(rounds < 400, () => `not over after ${rounds} rounds`)
    await settleDue(like.isBusy && rounds < 3)
    const due = [...active(), ...waiting()].flatMap(({ due_at }) =>
      due_at === null ? [] : Date.parse(due_at),
    )
    if (active().length > 0 && due.length === 0) mustBe(false, () => 'nothing is due, and it is not over')
    const next = Math.min(...due)
    if (Number.isFinite(next) && next > at) await pass(next - at)
  }
  for (const { checks, seen } of homes) checks.ended(seen)

  /** Checks that everything due moves within five seconds, even beside a workspace that always has something to do. */
  async function settleDue(isBusy: boolean): Promise<void> {
    const from = at
    const [first] = homes
    const others = homes.filter((home) => !isBusy || home !== first)
    const late = () =>
      others
        .flatMap(({ seen }) => seen.enrollments)
        .find(
          (one) =>
            isActive(one) && one.status !== 'paused' && one.due_at !== null && Date.parse(one.due_at) <= from,
        )
    const inInbox = () =>
      others.flatMap(({ seen }) => seen.inbox).find(({ created_at }) => Date.parse(created_at) <= from)
    for (let n = 0; n * tickMs < promptMs; n++) {
      for (const host of hosts) {
        if (isBusy && first !== undefined) await disturb(first.place)
        await tick(host)
        if (isBusy) await finishAll()
      }
      for (const home of homes)
        if (home.seen.messages.some(({ status }) => status === 'queued' || status === 'scheduled')) {
          await send(home)
          await finishAll()
        }
      await finishAll()
      for (const home of homes) home.seen = await takeSnapshot(world.watch, home.place.id)
      await pass(tickMs)
      if (late() === undefined && inInbox() === undefined) break
    }
    mustBe(
      late() === undefined,
      () => `due at ${late()?.due_at}, and not moved by ${new Date(at).toISOString()}`,
    )
    mustBe(inInbox() === undefined, () => 'something has been in the inbox for five seconds')
    for (const { seen } of others) checkDates(seen)
  }

  /** Adds an inbox row that means nothing. */
  async function disturb({ id, people: [person] }: Home['place']): Promise<void> {
    await world.watch.query(
      `insert into automation_inbox (workspace_id, id, contact_id, follows, chain, created_at) values ($1, $2, $3, '{}', '{}', $4)`,
      [id, newId(new Date(at)), person?.id, new Date(at)],
    )
  }

  return { ms: at - begunAt }
}

/** Checks that every wait for an appointment uses its current time. */
function checkDates({ enrollments, appointments }: Snapshot): void {
  for (const { waiting_for: waiting, status } of enrollments.filter(isActive)) {
    const of = appointments.find(({ id }) => id === waiting?.refs?.['appointment_id'])
    if (status === 'paused' || waiting?.kind !== 'date' || waiting.until === null || of === undefined)
      continue
    mustBe(
      Date.parse(waiting.until) === Date.parse(of.starts_at) - beforeMs,
      () => `one waits until ${waiting.until} for an appointment at ${of.starts_at}`,
    )
  }
}

/** Removes what is left of an earlier life that was aborted. */
async function forgetOthers({ watch }: World): Promise<void> {
  await watch.query('delete from automation_inbox')
  await watch.query('update automation_lanes set next_at = null, holder_id = null')
}

const resume = (ctx: ReturnType<typeof contextOf>, id: string) => changeEnrollment(ctx, id, 'running')
