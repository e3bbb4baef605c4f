import type { Worker } from '../../src/modules/deliveries/dispatcher/worker.ts'
import { type Host, newHost } from './facts.ts'
import { portsOf } from './ports.ts'
import type { Fault } from './scenario.ts'
import { mustBe } from './violation.ts'
import type { World } from './world.ts'

/** Enough for an exchange, a settlement that must be repeated, and another settlement. */
const stopMs = 13_000

interface Process {
  host: Host
  worker: Worker
  /** Callbacks that arrived while the process was paused. */
  missed: (() => void)[]
  /** Runs a callback in the process: now, once it resumes, or never if it is gone. */
  deliver(call: () => void): void
}

/** The worker processes. They start, pause, resume and die. */
export interface Hosts {
  start(): void
  suffer(violation: Fault): void
}

export function createHosts(world: World): Hosts {
  const { subject, scenario, timeline, random, database, queue, checks, waits, count, trace } = world
  const processes: Process[] = []
  let started = 0

  function start(): void {
    const skew = scenario.skews[++started % scenario.skews.length] ?? 0
    const host = newHost(`p${started}`, skew, () => deliver(() => worker.scanNow()))
    const missed: (() => void)[] = []
    const deliver = (call: () => void) => {
      if (host.state === 'running') call()
      else if (host.state === 'paused') missed.push(call)
    }
    const worker = subject.createWorker(portsOf(world, host, deliver), scenario.limits)
    processes.push({ host, worker, missed, deliver })
    world.hosts.push(host)
    trace?.(`${host.name} starts, its clock off by ${host.skew} ms`)
    worker.start()
  }

  /** A random process that has not ended. */
  function one(): Process | undefined {
    const left = processes.filter(({ host: { state } }) => state !== 'gone')
    return left.length === 0 ? undefined : random.pick(left)
  }

  function restart(awayMs: number): void {
    waits.trouble(timeline.now() + awayMs)
    timeline.at(timeline.now() + awayMs, start)
  }

  function kill({ host }: Process, awayMs: number): void {
    trace?.(`${host.name} is killed`)
    host.state = 'gone'
    checks.cutOff(host)
    // A replacement for a stopping process has already been scheduled.
    if (host.stoppingSince === undefined) restart(awayMs)
    else waits.trouble(timeline.now())
  }

  function pause(process: Process, forMs: number): void {
    const { host, missed, deliver } = process
    if (host.state !== 'running') return
    trace?.(`${host.name} is paused for ${forMs} ms`)
    host.state = 'paused'
    host.slept = true
    checks.cutOff(host)
    waits.trouble(timeline.now() + forMs)
    timeline.at(timeline.now() + forMs, () => {
      if (host.state !== 'paused') return
      trace?.(`${host.name} goes on`)
      host.state = 'running'
      for (const call of random.sample(missed.splice(0), Number.POSITIVE_INFINITY)) deliver(call)
    })
  }

  function stop({ host, worker }: Process, awayMs: number): void {
    if (host.state !== 'running' || host.stoppingSince !== undefined) return
    trace?.(`${host.name} is asked to stop`)
    host.stoppingSince = timeline.now()
    worker.stop(() => {
      trace?.(`${host.name} has stopped`)
      checks.stopped(host)
      host.state = 'gone'
      host.stopped = true
      database.call(
        'Release',
        () => queue.release(host.name),
        () => undefined,
      )
    })
    expectStop(host, timeline.now())
    restart(awayMs)
  }

  /** Any fault in the meantime extends the deadline. */
  function expectStop(host: Host, since: number): void {
    timeline.at(since + stopMs, () => {
      if (host.state === 'gone') return
      const again = waits.troubledUntil()
      mustBe(again > since, () => `${host.name} has not stopped after ${timeline.now() - since} ms`)
      expectStop(host, again)
    })
  }

  function suffer(violation: Fault): void {
    const process = one()
    count(violation.kind)
    switch (violation.kind) {
      case 'join':
        return start()
      case 'outage':
        trace?.(`the database is away for ${violation.forMs} ms`)
        waits.trouble(timeline.now() + violation.forMs)
        for (const { host } of processes) host.listening = false
        return database.outage(violation.forMs)
      case 'slow':
        return database.slow(violation.forMs, violation.upToMs)
      case 'lossy':
        return database.lossy(violation.forMs, violation.chance)
      case 'kill':
        return process && kill(process, violation.awayMs)
      case 'pause':
        return process && pause(process, violation.forMs)
      case 'stop':
        return process && stop(process, violation.awayMs)
    }
  }

  return { start, suffer }
}
