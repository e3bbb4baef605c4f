export { citationOf } from './citations.ts'
export type { ContentCode, ContentFinding } from './finding.ts'
export { type ContentContext, contentRuleSet, scanContent, scanFairHousing } from './scan-content.ts'
