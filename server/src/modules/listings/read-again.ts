import { readingAgain } from '../workspaces/public.ts'
import { foldTextsAgain } from './queries.ts'

/** Folds the texts again that earlier versions folded otherwise, so that \`q\` finds them. */
export const { job: readListingsAgain, readAgain: readListingsAgainIn } = readingAgain(
  'listings',
  foldTextsAgain,
)
