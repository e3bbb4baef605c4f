import { changeEnrollment } from '../../src/modules/automations/change-enrollment.ts'
import { createEngine } from '../../src/modules/automations/engine/engine.ts'
import {
  createAutomation,
  enableAutomation,
  publishAutomation,
} from '../../src/modules/automations/save-automation.ts'
import { seededRandom } from '../../src/seed/random.ts'
import { mustBe } from '../simulation/violation.ts'
import { createChecks } from './checks.ts'
import { type DeedKind, drawDeed, sendSome } from './deeds.ts'
import { drawDefinition, plainTaste } from './definitions.ts'
import type { Commit } from './ledger.ts'
import { type Actor, type Fault, type Task, createLockstep } from './lockstep.ts'
import { type Profile, plain } from './profile.ts'
import { type Snapshot, takeSnapshot } from './snapshot.ts'
import { type World, contextOf, openPlace, runtimeOf, start } from './world.ts'

/** A lane that is held is another engine's after this, and due work then moves within `promptMs`. */
const leaseMs = 31_000
const promptMs = 5_000
const tickMs = 500

export type Counters = Record<string, number>

/** One life, from the first enrollment until all have ended. Throws a Violation. */
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
  const taste = { ...plainTaste, ...like.taste }
  let at = start + random.integer(0, 12) * 3_600_000
  const begunAt = at
  const now = () => at
  const count = (what: string) => void (counters[what] = (counters[what] ?? 0) + 1)
  const skew = () => (random.chance(0.5) ? 0 : random.integer(-like.skewMs, like.skewMs))
  const checks = createChecks({ now, skewMs: like.skewMs, mayFail: like.faults > 0, count })
  await forgetOthers(world)

  const clock = { now: () => new Date(at), elapsed: now }
  const place = await openPlace(world, clock, like.people)
  let seen: Snapshot = await takeSnapshot(world.watch, place.id)
  const commits = new Map<Task, Commit>()
  const log = (line: string) => trace?.(`${((at - begunAt) / 1000).toFixed(1).padStart(9)} ${line}`)

  const lockstep = createLockstep({
    database: world.runtime.database,
    queue: world.queue,
    now,
    grain: random.weighted(like.grains),
    countWaits: () => world.countWaits(),
    async onCommit(task) {
      const commit = commits.get(task) ?? { by: 'person' as const, name: task.name }
      seen = await takeSnapshot(world.watch, place.id)
      log(`${task.actor.name} ${task.name}: committed`)
      try {
        checks.committed(commit, seen)
      } catch (error) {
        violation ??= error
      }
    },
  })
  let violation: unknown

  // The automations, which know each other.
  const setUp = contextOf(world, { clock, database: world.runtime.database }, place.id)
  const automationIds: string[] = []
  const versions: number[] = []
  const redefine = (index: number) => {
    const version = (versions[index] ?? 0) + 1
    const others = automationIds.filter((_, i) => i !== index)
    const definition = drawDefinition(random, { index, version, others, taste })
    return { version, definition }
  }
  for (let index = 0; index < like.automations; index++) {
    const { version, definition } = redefine(index)
    const { id } = await createAutomation(setUp, { name: `A${index}`, definition } as never)
    automationIds.push(id)
    versions.push(version)
    checks.published(id, version, index, definition)
    log(`A${index}.${version}: ${JSON.stringify(definition)}`)
    await publishAutomation(setUp, id)
    if (random.chance(0.9)) await enableAutomation(setUp, id)
  }

  interface Host {
    actor: Actor
    engine: ReturnType<typeof createEngine>
  }
  let engines = 0
  function newHost(): Host {
    const actor = lockstep.newActor(`engine ${++engines}`, skew())
    return { actor, engine: createEngine(runtimeOf(world, actor), actor.queue, actor.name) }
  }
  let hosts: Host[] = Array.from({ length: like.engines }, newHost)
  const sender = lockstep.newActor('sender', 0)
  let people = 0

  function drawFault(): Fault | undefined {
    if (!random.chance(like.faults)) return undefined
    const statement = random.integer(1, random.pick([4, 12, 40, 80]))
    const kind = random.pick(['kill', 'error', 'stall', 'stall', 'lost'] as const)
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

  async function send(): Promise<Task> {
    const task = await lockstep.begin(sender, 'sends', () =>
      sendSome(runtimeOf(world, sender), place, random),
    )
    commits.set(task, { by: 'sender', name: 'sender' })
    return task
  }

  async function act(kind: DeedKind): Promise<void> {
    // One definition is published at a time, so that it is known which one has which number.
    if (kind === 'publish' && [...lockstep.tasks].some(({ name }) => name === 'publish')) return
    const deed = drawDeed(kind, {
      random,
      place,
      automationIds,
      seen,
      redefine(id) {
        const index = automationIds.indexOf(id)
        const { version, definition } = redefine(index)
        versions[index] = version
        checks.published(id, version, index, definition)
        log(`A${index}.${version}: ${JSON.stringify(definition)}`)
        return definition
      },
    })
    if (deed === undefined) return
    const actor = lockstep.newActor(`person ${++people}`, skew())
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
    if (what === 'send') return sender.task === undefined ? void (await send()) : undefined
    const free = hosts.filter(({ actor }) => actor.task === undefined)
    if (free.length > 0) await tick(random.pick(free), drawFault())
    const dead = hosts.filter(({ actor }) => actor.isDead)
    hosts = [...hosts.filter(({ actor }) => !actor.isDead), ...dead.map(newHost)]
  }

  for (let n = 0; n < like.choices; n++) {
    await choose()
    if (violation !== undefined) throw violation
  }
  await finishAll()
  await pass(leaseMs)

  // No more faults: all that is due moves, and all ends.
  hosts = [newHost(), newHost()]
  for (const id of automationIds) await calm('enable', (ctx) => enableAutomation(ctx, id))
  for (const { id, status } of seen.enrollments)
    if (status === 'paused') await calm('resume', (ctx) => resume(ctx, id))

  async function calm(
    name: string,
    run: (ctx: ReturnType<typeof contextOf>) => Promise<unknown>,
  ): Promise<void> {
    const actor = lockstep.newActor(`person ${++people}`, 0)
    const task = await lockstep.begin(actor, name, () => run(contextOf(world, actor, place.id)))
    commits.set(task, { by: 'person', name })
    await finishAll()
  }

  const active = () =>
    seen.enrollments.filter(({ status }) => ['queued', 'running', 'paused'].includes(status))
  for (let rounds = 0; active().length > 0 || seen.inbox.length > 0; rounds++) {
    mustBe(rounds < 400, () => `not over after ${rounds} rounds`)
    await settleDue()
    const due = active().flatMap(({ due_at }) => (due_at === null ? [] : Date.parse(due_at)))
    if (active().length > 0 && due.length === 0) mustBe(false, () => 'nothing is due, and it is not over')
    const next = Math.min(...due)
    if (Number.isFinite(next) && next > at) await pass(next - at)
  }
  checks.ended(seen)

  /** Within five seconds all that is due has moved. */
  async function settleDue(): Promise<void> {
    const from = at
    const late = () =>
      active().find(
        ({ due_at, status }) => status !== 'paused' && due_at !== null && Date.parse(due_at) <= from,
      )
    const letter = () => seen.inbox.find(({ created_at }) => Date.parse(created_at) <= from)
    for (let n = 0; n * tickMs < promptMs; n++) {
      for (const host of hosts) await tick(host)
      if (seen.messages.some(({ status }) => status === 'queued' || status === 'scheduled')) await send()
      await finishAll()
      seen = await takeSnapshot(world.watch, place.id)
      await pass(tickMs)
      if (late() === undefined && letter() === undefined) return
    }
    mustBe(
      late() === undefined,
      () => `due at ${late()?.due_at}, and not moved by ${new Date(at).toISOString()}`,
    )
    mustBe(letter() === undefined, () => 'something has been in the inbox for five seconds')
  }

  return { ms: at - begunAt }
}

/** What an earlier life left, which ended too soon. */
async function forgetOthers({ watch }: World): Promise<void> {
  await watch.query('delete from automation_inbox')
  await watch.query('update automation_lanes set next_at = null, holder_id = null')
}

const resume = (ctx: ReturnType<typeof contextOf>, id: string) => changeEnrollment(ctx, id, 'running')
