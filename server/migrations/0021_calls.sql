-- Calls: those that were placed, received, and blocked, with what was said in them.
create table calls (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  contact_id text collate "C",
  -- That of the contact: who sees it.
  owner_id text collate "C",
  sender_id text collate "C",
  connection_id text collate "C",
  direction text collate "C" not null constraint calls_direction check (direction in ('INBOUND', 'OUTBOUND')),
  handled_by text collate "C" not null constraint calls_handled_by check (handled_by in ('ai', 'human')),
  persona_id text collate "C",
  -- As the persona was when the call began; see persona_versions.
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
  -- What the person said about themselves, as the provider or the model has it.
  extracted json,
  -- What the content scan found in what the AI said, and in the summary.
  content_findings json not null,
  -- The verdict of the last judgment.
  compliance json,
  error json,
  -- Who placed it; null for what people called us.
  actor json,
  -- Whether it waits when nothing but the hours forbids it, and how often they have.
  waits_for_hours boolean not null,
  turns smallint not null,
  -- Times that the provider has surely not taken it.
  attempts smallint not null,
  provider_call_id text collate "C",
  -- When it was handed to the provider. A call that has it is not placed again.
  began_at timestamptz(3),
  -- What the person asked for, once it has been done.
  acted_on text collate "C" constraint calls_acted_on check (acted_on in ('opt_out', 'wrong_number', 'review')),
  -- When call.completed was published.
  completed_at timestamptz(3),
  -- When the provider was asked for what no report had brought.
  asked_at timestamptz(3),
  -- Whether it is recorded, and announced so; null until it is placed or taken.
  recorded boolean,
  -- Where the provider has the recording.
  recording_source text,
  recording_file_id text collate "C",
  recording_stored_at timestamptz(3),
  -- Why it was not copied, once that is given up.
  recording_error text collate "C" constraint calls_recording_error check (
    recording_error in ('not_of_provider', 'not_a_recording', 'too_large', 'unavailable')
  ),
  -- When its recording was removed because of its age, here and at the provider.
  retention_ended_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  erased_at timestamptz(3),
  -- When to look at it next; null for never.
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
-- Those that an erasure cannot find otherwise, by the number that is not ours.
create index calls_unlinked on calls (workspace_id, (case direction when 'INBOUND' then "from" else "to" end))
where contact_id is null;
-- Calls to a number: those that wait, and those of the last day.
create index calls_to on calls (workspace_id, "to", began_at) where direction = 'OUTBOUND';
create index calls_by_look on calls (workspace_id, look_at) where look_at is not null;
-- Those that the retention has not reached, of which there may be a recording here or at the provider.
create index calls_retained on calls (workspace_id, id)
where retention_ended_at is null and erased_at is null and completed_at is not null
  and (recording_file_id is not null or provider_call_id is not null);
-- Those that still need a summary, or a disposition.
create index calls_without_summary on calls (workspace_id, completed_at)
where (summary is null or disposition is null) and erased_at is null and completed_at is not null;
-- A provider that reports a call twice reports one call.
create unique index calls_provided on calls (workspace_id, connection_id, provider_call_id)
where provider_call_id is not null;
select make_tenant_table('calls');
grant select, insert, update on calls to gable_app;
select mark_columns('calls', 'personal: erased', 'from', 'to', 'summary', 'extracted', 'content_findings', 'error', 'recording_source');
select mark_columns('calls', 'personal: kept, names who acted, not the contact', 'actor');
select mark_columns('calls', 'not personal: codes, rules and zones', 'compliance');
select mark_columns('calls', 'not personal', 'provider_call_id');

-- What was said, apart from the calls, so that lists never read it.
create table call_transcripts (
  workspace_id text collate "C" not null,
  call_id text collate "C" not null,
  -- Turns, in their order.
  transcript json not null,
  primary key (workspace_id, call_id),
  constraint call_transcripts_call foreign key (workspace_id, call_id) references calls (workspace_id, id)
);
select make_tenant_table('call_transcripts');
grant select, insert, update, delete on call_transcripts to gable_app;
select mark_columns('call_transcripts', 'personal: erased', 'transcript');

-- Calls of members in reach: those of their contacts. Of contacts out of reach, and of none, they see none.
create policy reach on calls as restrictive to gable_member
  using (owner_id in (select unnest(members_in_reach()))) with check (true);
create policy reach on call_transcripts as restrictive to gable_member using (
  (select true from calls c where c.workspace_id = current_setting('gable.workspace_id', true) and c.id = call_id)
) with check (true);

-- What providers still keep of calls that have been erased here. The row goes when it is removed there as well.
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
