-- Placed, received, and blocked calls, and their transcripts.
create table calls (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  contact_id text collate "C",
  -- The contact's owner, which determines who sees it.
  owner_id text collate "C",
  sender_id text collate "C",
  connection_id text collate "C",
  direction text collate "C" not null constraint calls_direction check (direction in ('INBOUND', 'OUTBOUND')),
  handled_by text collate "C" not null constraint calls_handled_by check (handled_by in ('ai', 'human')),
  persona_id text collate "C",
  -- The persona's version when the call started; see persona_versions.
  persona_version integer,
  member_id text collate "C",
  status text collate "C" not null constraint calls_status check (
    status in (
      'queued', 'ringing', 'in_progress', 'completed', 'no_answer', 'busy', 'failed', 'cancelled', 'blocked', 'unknown'
    )
  ),
  disposition text collate "C" constraint calls_disposition check (
    disposition in (
      'appointment_set', 'transferred', 'callback_requested', 'qualified', 'interested', 'nurture', 'left_voicemail',
      'no_answer', 'busy', 'hung_up', 'bad_number', 'wrong_number', 'not_interested', 'has_agent', 'do_not_call',
      'language_barrier', 'other'
    )
  ),
  "from" text collate "C",
  "to" text collate "C",
  scheduled_at timestamptz(3),
  started_at timestamptz(3),
  answered_at timestamptz(3),
  ended_at timestamptz(3),
  duration_seconds integer,
  ai_disclosed boolean,
  summary text,
  summary_source text constraint calls_summary_source check (summary_source in ('provider', 'model', 'person')),
  sentiment text constraint calls_sentiment check (sentiment in ('positive', 'neutral', 'negative')),
  -- What the person said about themselves, as extracted by the provider or the model.
  extracted json,
  -- What the content scan found in the AI's words and in the summary.
  content_findings json not null,
  -- The last verdict of the compliance gates.
  compliance json,
  error json,
  -- Who placed it; null for inbound calls.
  actor json,
  -- Whether it is delayed if only the allowed hours block it, and how often that has happened.
  waits_for_hours boolean not null,
  turns smallint not null,
  -- Attempts that the provider definitely did not accept.
  attempts smallint not null,
  provider_call_id text collate "C",
  -- When it was handed to the provider. After that, the call is never placed again.
  began_at timestamptz(3),
  -- The person's request, once it has been carried out.
  acted_on text collate "C" constraint calls_acted_on check (acted_on in ('opt_out', 'wrong_number', 'review')),
  -- When call.completed was published.
  completed_at timestamptz(3),
  -- When the provider was queried for details that no report had brought.
  asked_at timestamptz(3),
  -- Whether it is recorded, and announced as such; null until the call is placed or taken.
  recorded boolean,
  -- Where the provider stores the recording.
  recording_source text,
  recording_file_id text collate "C",
  recording_stored_at timestamptz(3),
  -- Why the recording was not copied, once Gable has given up.
  recording_error text collate "C" constraint calls_recording_error check (
    recording_error in ('not_of_provider', 'not_a_recording', 'too_large', 'unavailable')
  ),
  -- When retention removed its recording, here and at the provider.
  retention_ended_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  erased_at timestamptz(3),
  -- When to check the call next; null for never.
  look_at timestamptz(3),
  primary key (workspace_id, id),
  constraint calls_contact foreign key (workspace_id, contact_id) references contacts (workspace_id, id),
  constraint calls_member foreign key (workspace_id, member_id) references members (workspace_id, id),
  constraint calls_sender foreign key (workspace_id, sender_id) references senders (workspace_id, id)
);
create index calls_by_contact on calls (workspace_id, contact_id, id);
create index calls_by_kind on calls (workspace_id, handled_by, direction, id);
create index calls_by_status on calls (workspace_id, status, handled_by, direction, id);
create index calls_by_disposition on calls (workspace_id, disposition, handled_by, direction, id);
create index calls_by_result on calls (workspace_id, status, disposition, handled_by, direction, id);
create index calls_by_owner on calls (workspace_id, owner_id, id) where owner_id is not null;
create index calls_by_owner_and_kind on calls (workspace_id, owner_id, handled_by, direction, id)
where owner_id is not null;
create index calls_by_owner_and_status on calls (workspace_id, owner_id, status, handled_by, direction, id)
where owner_id is not null;
create index calls_by_owner_and_disposition on calls (workspace_id, owner_id, disposition, handled_by, direction, id)
where owner_id is not null;
-- Calls that an erasure can only find by the outside number.
create index calls_unlinked on calls (workspace_id, (case direction when 'INBOUND' then "from" else "to" end))
where contact_id is null;
-- Calls to a number: pending ones, and those of the last day.
create index calls_to on calls (workspace_id, "to", began_at) where direction = 'OUTBOUND';
create index calls_by_look on calls (workspace_id, look_at) where look_at is not null;
-- Calls that retention has not processed and that may have a recording here or at the provider.
create index calls_retained on calls (workspace_id, id)
where retention_ended_at is null and erased_at is null and completed_at is not null
  and (recording_file_id is not null or provider_call_id is not null);
-- Calls that still need a summary or a disposition.
create index calls_without_summary on calls (workspace_id, completed_at)
where (summary is null or disposition is null) and erased_at is null and completed_at is not null;
-- Deduplicates: a provider may report a call twice.
create unique index calls_provided on calls (workspace_id, connection_id, provider_call_id)
where provider_call_id is not null;
select make_tenant_table('calls');
grant select, insert, update on calls to gable_app;
select mark_columns('calls', 'personal: erased', 'from', 'to', 'summary', 'extracted', 'content_findings', 'error', 'recording_source');
select mark_columns('calls', 'personal: kept, names who acted, not the contact', 'actor');
select mark_columns('calls', 'not personal: codes, rules and zones', 'compliance');
select mark_columns('calls', 'not personal', 'provider_call_id');

-- Transcripts, separate from the calls so that lists never read them.
create table call_transcripts (
  workspace_id text collate "C" not null,
  call_id text collate "C" not null,
  -- Turns in order.
  transcript json not null,
  primary key (workspace_id, call_id),
  constraint call_transcripts_call foreign key (workspace_id, call_id) references calls (workspace_id, id)
);
select make_tenant_table('call_transcripts');
grant select, insert, update, delete on call_transcripts to gable_app;
select mark_columns('call_transcripts', 'personal: erased', 'transcript');

-- Calls of the contacts of members within reach. Calls with other contacts or without a contact are hidden.
create policy reach on calls as restrictive to gable_member
  using (owner_id in (select unnest(members_in_reach()))) with check (true);
create policy reach on call_transcripts as restrictive to gable_member using (
  (select true from calls c where c.workspace_id = current_setting('gable.workspace_id', true) and c.id = call_id)
) with check (true);

-- Erased calls that a provider still stores. The row is deleted once the provider has deleted the call.
create table call_removals (
  workspace_id text collate "C" not null,
  call_id text collate "C" not null,
  connection_id text collate "C" not null,
  provider_call_id text collate "C" not null,
  due_at timestamptz(3) not null,
  attempts smallint not null,
  primary key (workspace_id, call_id)
);
create index call_removals_due on call_removals (workspace_id, due_at);
select make_tenant_table('call_removals');
select mark_columns('call_removals', 'not personal', 'provider_call_id');
grant select, insert, update, delete on call_removals to gable_app;
