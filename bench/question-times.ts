import { type Database, openDatabase } from '@gable/server/src/kernel/db/database.ts'
import { createLog } from '@gable/server/src/kernel/log.ts'
import { progress } from './progress.ts'
import { type SearchTime, summarize } from './search-times.ts'

/** A query of the product, with a description of what it asks for. */
export interface Question {
  kind: string
  named: string
  ask(database: Database): Promise<unknown>
}

/** A slow question is asked at least this many times, and no more once it has taken this many milliseconds in total. */
const least = 5
const patienceMs = 500

/**
 * Asks each question `rounds` times, in mixed order, with the product's own statements and roles. Measures on the
 * client: database time and one round trip.
 */
export async function timeQuestions(
  url: string,
  questions: readonly Question[],
  rounds: number,
): Promise<SearchTime[]> {
  await using database = openDatabase({ url, log: createLog('warn'), checked: false })
  const taken = new Map<Question, number[]>(questions.map((question) => [question, []]))
  for (let round = 0; round < rounds; round++) {
    // Change the order each round, so that the previous question leaves different data in the caches.
    for (let i = 0; i < questions.length; i++) {
      const question = questions[(i * 1009 + round * 11) % questions.length]
      if (question === undefined) continue
      const times = taken.get(question) ?? []
      if (times.length >= least && times.reduce((sum, one) => sum + one, 0) > patienceMs) continue
      const started = performance.now()
      await question.ask(database)
      // The first round prepares the statements.
      if (round > 0) times.push(performance.now() - started)
    }
    if (round % 10 === 0) progress(`questions: ${round} of ${rounds} rounds`)
  }
  return summarize(taken)
}
