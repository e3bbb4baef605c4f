import type { Db } from '#kernel/db/handles.ts'
import { stepOf, findVersion } from '../automations/public.ts'
import { type Enrollment, presentEnrollment } from './enrollment.ts'
import { listSteps } from './queries.ts'

/** An enrollment with its history and its next step. */
export async function explainEnrollment(db: Db, enrollment: Enrollment) {
  const { id, automation_id, version, step_key, due_at, status } = enrollment
  const [steps, published] = await Promise.all([listSteps(db, id), findVersion(db, automation_id, version)])
  const step = step_key === null ? undefined : published && stepOf(published.definition, step_key)
  const at = status === 'paused' ? null : due_at
  return {
    ...presentEnrollment(enrollment),
    steps,
    next: step === undefined ? null : { key: step.key, type: step.type, at },
  }
}
