export { createSearch } from './create-search.ts'
export { pauseSearch } from './record-outcome.ts'
