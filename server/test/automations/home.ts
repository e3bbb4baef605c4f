import { createAutomation, publishAutomation } from '../../src/modules/automations/save-automation.ts'
import { enableAutomation } from '../../src/modules/backfills/changes/enable-automation.ts'
import type { Random } from '../../src/seed/random.ts'
import { type Checks, createChecks } from './checks.ts'
import { drawDefinition, plainTaste } from './definitions.ts'
import type { Facts } from './ledger.ts'
import type { Actor } from './lockstep.ts'
import type { Profile } from './profile.ts'
import { type Snapshot, takeSnapshot } from './snapshot.ts'
import { type Place, type World, contextOf, openPlace } from './world.ts'

/** A workspace of a life, with its automations, which may refer to each other. */
export interface Home {
  place: Place
  automationIds: readonly string[]
  checks: Checks
  /** The workspace as of the last commit. */
  seen: Snapshot
  /** Draws the next definition of an automation. */
  redefine(automationId: string): object
}

export async function openHome(
  world: World,
  {
    clock,
    random,
    like,
    facts,
    log,
  }: {
    clock: Actor['clock']
    random: Random
    like: Profile
    facts: Facts
    log: (line: string) => void
  },
): Promise<Home> {
  const checks = createChecks(facts)
  const place = await openPlace(world, clock, like.people)
  const ctx = contextOf(world, { clock, database: world.runtime.database }, place.id)
  const taste = { ...plainTaste, ...like.taste }
  const automationIds: string[] = []
  function draw(index: number, version: number) {
    const others = automationIds.filter((_, i) => i !== index)
    const definition = drawDefinition(random, { index, version, others, taste, webhookId: place.webhookId })
    log(`A${index}.${version}: ${JSON.stringify(definition)}`)
    return definition
  }
  for (let index = 0; index < like.automations; index++) {
    const definition = draw(index, 1)
    const { id } = await createAutomation(ctx, { name: `A${index}`, definition } as never)
    automationIds.push(id)
    checks.published(id, 1, index, definition)
    await publishAutomation(ctx, id)
    if (random.chance(0.9)) await enableAutomation(ctx, id)
  }
  const home: Home = {
    place,
    automationIds,
    checks,
    seen: await takeSnapshot(world.watch, place.id),
    redefine(id) {
      const index = automationIds.indexOf(id)
      // An attempt to publish may have failed, so the next version follows what is published, not what was drawn.
      const version = (home.seen.automations.find((one) => one.id === id)?.version ?? 0) + 1
      const definition = draw(index, version)
      checks.published(id, version, index, definition)
      return definition
    },
  }
  return home
}
