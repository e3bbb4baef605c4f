export {
  type Automation,
  type Disabling,
  automationFields,
  automationRecord,
  disablings,
  presentAutomation,
} from './automation.ts'
export { type AnchorTime, resumptionAt } from './definition/anchor.ts'
export {
  type EnrollmentFacts,
  type FurtherFacts,
  conditionFields,
  factsNeeded,
} from './definition/condition-fields.ts'
export { requireConditions } from './definition/definition-issues.ts'
export { type Definition, type Exit, type Trigger, definitionLevels } from './definition/definition.ts'
export type { AiMessageStep, ReminderStep, SendStep, WebhookStep } from './definition/outside-steps.ts'
export { SendWindow } from './definition/send-window.ts'
export {
  type ActionStep,
  type AskableStep,
  type BranchStep,
  type EnrollStep,
  type StopStep,
  type WaitForStep,
  type WaitUntilStep,
  actionOf,
  stepNames,
} from './definition/step-types.ts'
export { isVerified, unheard } from './definition/heard-events.ts'
export { eventsOfExits, keysOf, listensTo } from './definition/listens-to.ts'
export { type Words, fillText, placeholderIssues } from './definition/placeholders.ts'
export { draftOfSend } from './definition/send-draft.ts'
export { nextAfter, stepOf } from './definition/tree.ts'
export { AutomationDisabled, AutomationIsArchived, AutomationUnpublished } from './errors.ts'
export { AutomationEnabled, AutomationMigrationStarted, AutomationWasDisabled } from './events.ts'
export {
  findAutomation,
  findAutomationOfOwn,
  findVersion,
  lockAutomationForShare,
  lockAutomationsForShare,
  insertAutomation,
  insertVersion,
  listAllAutomations,
  listTriggered,
  listTriggers,
  lockAutomation,
  lockAutomationOfAny,
  saveAutomation,
} from './queries.ts'
export { requireDefinition } from './require-definition.ts'
export { changeAutomation, publishAutomation } from './save-automation.ts'
