import { readdir } from 'node:fs/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Module } from '#kernel/module.ts'
import type { AiDependencies } from './ai/ports.ts'
import type { CalendarDependencies } from './calendar/ports.ts'
import type { CallDependencies } from './calls/ports.ts'
import type { ComplianceDependencies } from './compliance/ports.ts'
import type { DocumentDependencies } from './documents/ports.ts'
import type { FileDependencies } from './files/ports.ts'
import type { MailDependencies } from './mail/ports.ts'
import type { MessageDependencies } from './messages/ports.ts'

/** Everything that modules ask the server for. */
export type ModuleDependencies = MailDependencies &
  MessageDependencies &
  ComplianceDependencies &
  FileDependencies &
  CalendarDependencies &
  DocumentDependencies &
  CallDependencies &
  AiDependencies

const folders = (await readdir(import.meta.dirname, { withFileTypes: true }))
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .toSorted()

async function load(name: string): Promise<Module<ModuleDependencies>> {
  const exported = Object.values(
    (await import(`./${name}/module.ts`)) as Record<string, Module<ModuleDependencies>>,
  )
  const [module] = exported
  if (module === undefined || exported.length > 1)
    throw new Error(`modules/${name}/module.ts exports the module alone.`)
  return module
}

const loaded: Module<ModuleDependencies>[] = []
for (const name of folders) {
  loaded.push(await load(name))
  // Loading blocks. Between modules, whatever else a start waits for gets its turn.
  await nextTurn()
}

/** The product: every folder beside this file is a module. Subscribers to one event run in the order of these names. */
export const modules: readonly Module<ModuleDependencies>[] = loaded
