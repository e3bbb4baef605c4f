export { createSearch } from './create-search.ts'
export { listOverdueSearches, skipDigests } from './skip-digests.ts'
export { pauseSearch } from './record-outcome.ts'
