import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PlantedBug } from './planted-bugs.ts'
import type { Subject } from './world.ts'

const dispatcher = fileURLToPath(new URL('../../src/modules/deliveries/dispatcher/', import.meta.url))
const decisions = ['worker.ts', 'alarm.ts', 'endpoint-queue.ts', 'semaphore.ts', 'limits.ts', 'schedule.ts']
const model = 'queue-model.ts'

/** A copy of the code that makes decisions, in its own directory. */
export interface Planted extends Disposable {
  subject: Subject
}

/** Copies the code, plants the bug if one is given, and loads the copy. Throws unless the bug's code occurs exactly once. */
export function plant(bug?: PlantedBug): Planted {
  const directory = mkdtempSync(join(tmpdir(), 'gable-planted-'))
  const remove = () => rmSync(directory, { recursive: true, force: true })
  try {
    for (const name of decisions) cpSync(join(dispatcher, name), join(directory, name))
    const text = readFileSync(new URL(model, import.meta.url), 'utf8')
    writeFileSync(join(directory, model), text.replaceAll('../../src/modules/deliveries/dispatcher/', './'))
    writeFileSync(join(directory, 'package.json'), '{ "type": "module" }')
    if (bug !== undefined) change(join(directory, bug.file), bug)
    // Bypasses the test runner, which would look for the copy among its own files.
    const load = createRequire(join(directory, 'package.json'))
    const { createWorker } = load('./worker.ts') as Pick<Subject, 'createWorker'>
    const { newQueueModel } = load('./queue-model.ts') as Pick<Subject, 'newQueueModel'>
    return { subject: { createWorker, newQueueModel }, [Symbol.dispose]: remove }
  } catch (error) {
    remove()
    throw error
  }
}

function change(path: string, { name, file, find, replace }: PlantedBug): void {
  const text = readFileSync(path, 'utf8')
  const times = text.split(find).length - 1
  if (times !== 1) throw new Error(`The place of "${name}" is ${times} times in ${file}: ${find}`)
  writeFileSync(
    path,
    text.replace(find, () => replace),
  )
}
