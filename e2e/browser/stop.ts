import type { Records } from '@gable/server/test/settings/scene.ts'
import type { Locator } from 'playwright-core'
import type { Visit } from './scene.ts'
import type { Who, World } from './world.ts'

/** A page in one of its states, and how a test gets there. */
export interface Stop {
  /** Its path, as its route has it. */
  at: string
  /** What is special about it. */
  state?: string
  who: Who
  /** What is done on the page until it is in this state; nothing by default. */
  act?(visit: Visit, world: World): Promise<unknown>
  /** Opens the page; by default by its path. */
  open?(visit: Visit, world: World): Promise<unknown>
  /** Whether the name that everything has in this world shows on it, or its beginning. */
  named?: true | 'briefly'
}

export async function reach({ at, who, act, open }: Stop, world: World): Promise<Visit> {
  const visit = world.visits[who]
  await (open === undefined ? visit.open(pathFor(at, world.records)) : open(visit, world))
  await act?.(visit, world)
  return visit
}

/** A path with ids for its parameters. */
export const pathFor = (path: string, records: Records): string =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const id = records[name]
    if (id === undefined) throw new Error(`The world has no ${name} for ${path}.`)
    return id
  })

export const titleOf = ({ at, state, who }: Stop): string =>
  `${at} to ${who}${state === undefined ? '' : `, ${state}`}`

const button = ({ page }: Visit, name: string): Locator => page.getByRole('button', { name, exact: true })

/** Fills in or checks fields by their labels, presses the button, and waits until the page says what is wrong. */
export const rejectedAfter =
  (label: string, fields: Readonly<Record<string, string>>) => async (visit: Visit) => {
    await fillIn(visit, label, fields)
    await visit.page.locator('.fault:visible, [role=alert]:visible').first().waitFor()
  }

/** The same, where what comes has this heading. */
export const shownAfter =
  (heading: string, label: string, fields: Readonly<Record<string, string>> = {}) =>
  async (visit: Visit) => {
    await fillIn(visit, label, fields)
    await visit.page.getByRole('heading', { name: heading, exact: true }).waitFor()
  }

async function fillIn(visit: Visit, label: string, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(fields)) {
    if (value === 'checked') await visit.page.getByRole('checkbox', { name }).first().check()
    else await visit.page.getByLabel(name, { exact: true }).fill(value)
  }
  await button(visit, label).click()
}
