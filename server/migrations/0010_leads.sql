-- Leads, and what their senders consented to.

create table leads (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  -- Null once the contact has been erased.
  contact_id text collate "C",
  -- The key or app without contacts:read:pii that captured it. It must not learn whether the person was known.
  captured_by text collate "C",
  status text not null constraint leads_status check (
    status in ('new', 'assigned', 'claimed', 'contacted', 'converted', 'disqualified')
  ),
  source text,
  source_ref text,
  first_name text,
  last_name text,
  phone text,
  email text,
  context jsonb,
  assignee_id text collate "C",
  -- What an unassigned lead waits for: an eligible agent, a rule's hours, a claim in time, or any claim.
  waits_for text constraint leads_waits_for check (waits_for in ('agent', 'hours', 'claim', 'pond')),
  offered_to text[] collate "C" not null,
  offered_until timestamptz(3),
  -- When routing of a lead that waits for an agent or for hours is retried.
  try_at timestamptz(3),
  -- Summary of the decision in effect.
  routing jsonb,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  erased_at timestamptz(3),
  primary key (workspace_id, id),
  constraint leads_contact foreign key (workspace_id, contact_id) references contacts (workspace_id, id),
  constraint leads_assignee foreign key (workspace_id, assignee_id) references members (workspace_id, id)
);
select mark_columns(
  'leads', 'personal: erased',
  'source', 'source_ref', 'first_name', 'last_name', 'phone', 'email', 'context', 'offered_to'
);
select mark_columns('leads', 'not personal', 'routing', 'captured_by');

create index leads_by_contact on leads (workspace_id, contact_id, id) where contact_id is not null;
create index leads_unlinked on leads (workspace_id, id) where contact_id is null;
create index leads_waiting on leads (workspace_id, id) where waits_for in ('agent', 'hours');

-- What a person agreed to when submitting the form, as received. A revocation is another row.
create table lead_consents (
  workspace_id text collate "C" not null,
  lead_id text collate "C" not null,
  id text collate "C" not null,
  kind text not null constraint lead_consents_kind check (kind in ('given', 'revoked')),
  -- As received: a string, a number, or any other value.
  captured_at json,
  source_url text,
  ip text,
  -- json, because jsonb reorders members and the hash covers the text.
  form_snapshot json,
  -- SHA-256 of the snapshot in hexadecimal.
  form_sha256 text,
  -- Makes the digest in the ledger impossible to guess once the salt is gone.
  salt text,
  actor jsonb not null,
  received_at timestamptz(3) not null,
  primary key (workspace_id, lead_id, id),
  constraint lead_consents_lead foreign key (workspace_id, lead_id) references leads (workspace_id, id)
);
select mark_columns(
  'lead_consents', 'personal: erased',
  'captured_at', 'source_url', 'ip', 'form_snapshot', 'form_sha256', 'salt'
);
select mark_columns('lead_consents', 'personal: kept, names who acted, not the contact', 'actor');

select make_tenant_table('leads');
select make_tenant_table('lead_consents');

-- Leads of members within reach, and unassigned leads that are offered to one of them.
create policy reach on leads as restrictive to gable_member using (
  assignee_id = any ((select members_in_reach())::text[])
  or (assignee_id is null and offered_to && (select members_in_reach()) collate "C")
) with check (true);
create policy reach on lead_consents as restrictive to gable_member using (
  (select true from leads l where l.workspace_id = current_setting('gable.workspace_id', true) and l.id = lead_id)
) with check (true);
create policy reach on routing_decisions as restrictive to gable_member using (
  (select true from leads l where l.workspace_id = current_setting('gable.workspace_id', true) and l.id = lead_id)
) with check (true);


-- Evidence is immutable. The only allowed update is an erasure, which empties the columns named in the grants below.
create policy immutable on lead_consents as restrictive for update using (true) with check (
  captured_at is null and source_url is null and ip is null and form_snapshot is null and form_sha256 is null
  and salt is null
);

grant select, insert, update on leads to gable_app;
grant select, insert on lead_consents to gable_app;
grant update (captured_at, source_url, ip, form_snapshot, form_sha256, salt) on lead_consents to gable_app;
