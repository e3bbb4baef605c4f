import type { DatedDeal } from '../../deals/public.ts'
import type { HeldOpenHouse } from '../../listings/public.ts'
import type { AppointmentRow } from '../appointment.ts'
import type { Task } from '../tasks/task.ts'
import { startOf } from './range.ts'
import type { CalendarEntry } from './schemas.ts'

export const ofAppointment = (row: AppointmentRow): CalendarEntry => ({
  kind: 'appointment',
  id: row.id,
  type: row.type,
  status: row.status,
  title: row.title,
  location: row.location,
  date: null,
  starts_at: row.starts_at,
  ends_at: row.ends_at,
  member_id: row.host_id,
  contact_id: row.contact_id,
})

export const ofTask = (task: Task): CalendarEntry => ({
  kind: 'task',
  id: task.id,
  type: task.type,
  status: task.status,
  title: task.title,
  location: null,
  date: null,
  starts_at: task.due_at ?? '',
  ends_at: null,
  member_id: task.assignee_id,
  contact_id: task.contact_id,
})

export const ofOpenHouse = (held: HeldOpenHouse): CalendarEntry => ({
  kind: 'open_house',
  id: held.id,
  type: 'open_house',
  status: held.status,
  title: null,
  location: place(words(held.street_number, held.street_name, held.unit_number), held.city),
  date: null,
  starts_at: held.starts_at,
  ends_at: held.ends_at,
  member_id: held.list_agent_id,
  contact_id: held.seller_contact_id,
})

export const ofDealDate =
  (timezone: string) =>
  (deal: DatedDeal): CalendarEntry => ({
    kind: 'deal_date',
    id: deal.id,
    type: deal.field,
    status: deal.status,
    title: deal.name,
    location: place(deal.address?.street, deal.address?.city),
    date: deal.day,
    starts_at: startOf(deal.day, timezone),
    ends_at: null,
    member_id: deal.owner_id,
    contact_id: deal.contact_ids[0] ?? null,
  })

type Part = string | null | undefined
const joined = (parts: Part[], between: string) => parts.filter((part) => part).join(between)
const words = (...parts: Part[]) => joined(parts, ' ')
const place = (...parts: Part[]) => joined(parts, ', ') || null
