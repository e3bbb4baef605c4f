import type pg from 'pg'

/** Policies as PostgreSQL stores them, by table and name. */
export type Policies = Record<string, string>

const inContact = (column: string) =>
  `(select true from contacts c where c.workspace_id = current_setting('gable.workspace_id', true) and c.id = ${column})`
const inLead =
  "(select true from leads l where l.workspace_id = current_setting('gable.workspace_id', true) and l.id = lead_id)"
const inAppointment =
  "(select true from appointments a where a.workspace_id = current_setting('gable.workspace_id', true) and a.id = appointment_id)"
const ofMember = (condition: string, what: 'all' | 'update' = 'all') =>
  `as restrictive for ${what} to gable_member using (${condition}) with check (true)`
const ofSender = 'as permissive for all to gable_sender using (true)'

/** The policy of every table with workspace rows. */
const tenant = `as permissive for all to public using (workspace_id = current_setting('gable.workspace_id', true))`

/** All other policies. */
const others: Policies = {
  'automation_inbox engine': 'as permissive for select to gable_engine using (true)',
  'automation_lanes engine': 'as permissive for all to gable_engine using (true)',
  'backfill_contacts reach': ofMember(inContact('contact_id')),
  'automation_entries reach': ofMember(inContact('contact_id')),
  'enrollments reach': ofMember(inContact('contact_id')),
  'enrollment_steps reach': ofMember(
    "(select true from enrollments e where e.workspace_id = current_setting('gable.workspace_id', true) and e.id = enrollment_id)",
  ),
  'appointments reach': ofMember('host_id = any ((select members_in_reach())::text[])'),
  'appointment_persons reach': ofMember(inAppointment),
  'appointment_invitations reach': ofMember(inAppointment),
  'calendar_pushes reach': ofMember(inAppointment),
  'tasks reach': ofMember('assignee_id = any ((select members_in_reach())::text[])'),
  'generations reach': ofMember(
    `${inContact('contact_id')} or contact_id is null and (select true from calls c where c.workspace_id = current_setting('gable.workspace_id', true) and c.id = call_id)`,
  ),
  'contacts reach': ofMember(
    'owner_id = any ((select members_in_reach())::text[]) or created_by = (select creator_in_reach())',
  ),
  'contacts search': 'as permissive for select to gable_search using (true)',
  'contact_points reach': ofMember(inContact('contact_id')),
  'contact_external_ids reach': ofMember(inContact('contact_id')),
  'event_timelines reach': ofMember(inContact('timeline_id')),
  'events reach': ofMember(`${inContact('timeline_id')} or (select true from event_timelines t
    where t.workspace_id = current_setting('gable.workspace_id', true) and t.event_id = events.id limit 1)
    or actor ->> 'id' = (select creator_in_reach())`),
  'lead_consents immutable': `as restrictive for update to public using (true) with check (
    captured_at is null and source_url is null and ip is null and form_snapshot is null and form_sha256 is null
    and salt is null)`,
  'lead_consents reach': ofMember(inLead),
  'ledger_unchained sender': 'as permissive for select to gable_sender using (true)',
  'deals reach': ofMember('owner_id = any ((select members_in_reach())::text[])'),
  'deals search': 'as permissive for select to gable_search using (true)',
  'deal_contacts reach': ofMember(
    "(select true from deals d where d.workspace_id = current_setting('gable.workspace_id', true) and d.id = deal_id)",
  ),
  'deal_dates reach': ofMember('owner_id = any ((select members_in_reach())::text[])'),
  'deal_contacts search': 'as permissive for select to gable_search using (true)',
  'documents reach': ofMember('owner_id = any ((select members_in_reach())::text[])'),
  'document_persons reach': ofMember(
    "(select true from documents d where d.workspace_id = current_setting('gable.workspace_id', true) and d.id = document_id)",
  ),
  'leads reach': ofMember(`assignee_id = any ((select members_in_reach())::text[])
    or (assignee_id is null and offered_to && (select members_in_reach()) collate "C")
    or created_by = (select creator_in_reach())`),
  'conversations reach': ofMember('owner_id in (select unnest(members_in_reach()))'),
  'listings reach': ofMember('list_agent_id = any ((select members_in_reach())::text[])', 'update'),
  'listings search': 'as permissive for select to gable_search using (true)',
  'message_attempts reach': ofMember(
    "(select true from messages m where m.workspace_id = current_setting('gable.workspace_id', true) and m.id = message_id)",
  ),
  'calls reach': ofMember(
    'owner_id in (select unnest(members_in_reach())) or author_id in (select unnest(members_in_reach()))',
  ),
  'call_transcripts reach': ofMember(
    "(select true from calls c where c.workspace_id = current_setting('gable.workspace_id', true) and c.id = call_id)",
  ),
  'messages reach': ofMember(
    'owner_id in (select unnest(members_in_reach())) or author_id in (select unnest(members_in_reach()))',
  ),
  'outbox sender': 'as permissive for select to gable_sender using (true)',
  'routing_decisions reach': ofMember(inLead),
  'saved_searches reach': ofMember(inContact('contact_id')),
  'saved_search_digests reach': ofMember(
    "(select true from saved_searches s where s.workspace_id = current_setting('gable.workspace_id', true) and s.id = search_id)",
  ),
  'webhook_deliveries sender': ofSender,
  'webhook_leases sender': ofSender,
  'webhook_payloads sender': ofSender,
  'webhooks sender': ofSender,
}

/** Tables with workspace rows. */
export async function guardedTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
       and obj_description(oid, 'pg_class') in ('queue', 'tenant') order by 1`,
  )
  return rows.map(({ name }) => name)
}

/** All policies, as PostgreSQL prints them. */
export async function readPolicies(client: pg.Client): Promise<Policies> {
  const { rows } = await client.query<{ name: string; policy: string }>(
    `select tablename || ' ' || policyname as name,
       concat_ws(' ', permissive, cmd, array_to_string(roles, ','), 'using', qual, 'check', with_check) as policy
     from pg_policies where schemaname = 'public' order by 1`,
  )
  return Object.fromEntries(rows.map(({ name, policy }) => [name, policy]))
}

/** The expected policies, as PostgreSQL prints them: temporarily replaces the existing policies with those above. */
export async function expectedPolicies(client: pg.Client): Promise<Policies> {
  const expected = {
    ...others,
    ...Object.fromEntries((await guardedTables(client)).map((table) => [`${table} tenant`, tenant])),
  }
  await client.query('begin')
  try {
    for (const key of Object.keys(await readPolicies(client))) {
      const [table, name] = key.split(' ')
      await client.query(`drop policy ${name} on ${table}`)
    }
    for (const [key, policy] of Object.entries(expected)) {
      const [table, name] = key.split(' ')
      await client.query(`create policy ${name} on ${table} ${policy}`)
    }
    return await readPolicies(client)
  } finally {
    await client.query('rollback')
  }
}
