import { readingAgain } from '../workspaces/public.ts'
import { foldNamesAgain } from './queries.ts'

/** Folds the names again that earlier versions folded otherwise, so that \`q\` finds them. */
export const { job: readDealsAgain, readAgain: readDealsAgainIn } = readingAgain('deals', foldNamesAgain)
