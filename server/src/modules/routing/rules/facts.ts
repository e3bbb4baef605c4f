/** The facts about a lead that routing depends on. */
export interface Facts {
  source: string
  stage?: string
  tags: readonly string[]
  zip?: string
  city?: string
  state?: string
  price?: number
  area_code?: string
  has_phone?: boolean
  has_email?: boolean
  office_id?: string
  team_id?: string
  consent_status?: 'none' | 'insufficient' | 'sufficient'
  context: Readonly<Record<string, unknown>>
  /** The member who owns the contact. */
  owner_id: string | null
}

export type { FailingCondition } from '#kernel/conditions/condition.ts'
