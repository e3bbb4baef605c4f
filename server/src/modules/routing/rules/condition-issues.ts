import { issuesOfCondition } from '#kernel/conditions/condition-issues.ts'
import { stages } from '../../contacts/public.ts'
import { fieldsOfRules } from './rule-fields.ts'

const { fields, open } = fieldsOfRules
const registry = { fields: { ...fields, stage: { ...fields.stage, values: stages } }, open }

/** Lazily finds the issues of a rule's condition, with their paths. */
export const conditionIssues = (condition: unknown, path: string) =>
  issuesOfCondition(registry, condition, path)
