-- The AI that responds to messages: its personas, its requests and proposals, and their cost.

create table personas (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  name text not null,
  role text,
  enabled boolean not null,
  mode text not null constraint personas_mode check (mode in ('off', 'suggest', 'approve', 'auto')),
  channels text[] not null,
  languages text[] not null,
  greeting text,
  -- What the first message to a contact discloses: that an AI is writing, and on whose behalf.
  disclosure text not null,
  goal text,
  instructions text,
  knowledge text,
  prohibited_topics text[] not null,
  active_hours jsonb not null,
  max_messages_per_day smallint not null,
  max_unanswered smallint not null,
  -- In seconds.
  reply_delay smallint not null,
  stop_on_human_message boolean not null,
  handoff jsonb not null,
  -- Increments with each change; see persona_versions.
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (workspace_id, id)
);
create index personas_by_enabled on personas (workspace_id, enabled, id) where deleted_at is null;
select make_tenant_table('personas');
grant select, insert, update on personas to gable_app;
select mark_columns(
  'personas', 'personal: kept, an instruction of the workspace that may name people', 'name', 'role', 'greeting',
  'disclosure', 'goal', 'instructions', 'knowledge', 'prohibited_topics', 'handoff'
);
select mark_columns('personas', 'not personal: codes and hours', 'channels', 'languages', 'active_hours');

-- Every version of each persona. A generation references the version that it used.
create table persona_versions (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  persona_id text collate "C" not null,
  version integer not null,
  content jsonb not null,
  created_at timestamptz(3) not null,
  primary key (workspace_id, persona_id, version),
  constraint persona_versions_by_id unique (workspace_id, persona_id, id),
  constraint persona_versions_persona foreign key (workspace_id, persona_id) references personas (workspace_id, id)
);
select make_tenant_table('persona_versions');
grant select, insert on persona_versions to gable_app;
select mark_columns(
  'persona_versions', 'personal: kept, an instruction of the workspace that may name people', 'content'
);

-- Settings for all personas of a workspace. Without a row, the defaults apply.
create table ai_settings (
  workspace_id text collate "C" primary key,
  enabled boolean not null,
  daily_budget numeric(15, 2) not null,
  -- Whether the model also reviews each text.
  second_look boolean not null
);
select make_tenant_table('ai_settings');
grant select, insert, update on ai_settings to gable_app;
select mark_columns('ai_settings', 'not personal', 'daily_budget');

-- A workspace's spending on a model per UTC day, in millionths of a dollar. Cost is reserved before each request.
create table ai_spending (
  workspace_id text collate "C" not null,
  day date not null,
  spent bigint not null,
  primary key (workspace_id, day)
);
select make_tenant_table('ai_spending');
grant select, insert, update on ai_spending to gable_app;
select mark_columns('ai_spending', 'not personal', 'day');

-- Conversations whose last message the AI has yet to respond to or leave to a person.
create table awaited_replies (
  workspace_id text collate "C" not null,
  conversation_id text collate "C" not null,
  message_id text collate "C" not null,
  -- The persona that was active when the message arrived.
  persona_id text collate "C" not null,
  -- Until when one job works on it, unless its process was killed.
  claimed_until timestamptz(3),
  -- When its job counts as lost.
  look_at timestamptz(3) not null,
  primary key (workspace_id, conversation_id)
);
create index awaited_replies_by_look on awaited_replies (workspace_id, look_at);
select make_tenant_table('awaited_replies');
comment on table awaited_replies is 'queue';
grant select, insert, update, delete on awaited_replies to gable_app;

-- Each request to a model to write to a contact or to summarize a call.
create table generations (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  -- Null for a call summary, which uses no persona.
  persona_id text collate "C",
  persona_version integer,
  call_id text collate "C",
  -- Null before the first message.
  conversation_id text collate "C",
  -- Null for a call without a contact. No proposal is kept for one, because an erasure would not find it.
  contact_id text collate "C",
  -- The last message to or from the contact at the time of the request.
  last_message_id text collate "C",
  model text not null,
  -- SHA-256 of the complete prompt.
  prompt_digest text not null,
  -- What the prompt was built from, besides the persona version, the ID, and the time.
  material jsonb,
  prompt_tokens integer not null,
  completion_tokens integer not null,
  -- In millionths of a dollar.
  reserved bigint not null,
  price bigint,
  -- What the model proposed, once it matches the schema.
  proposal jsonb,
  -- The text that the model reviewed, and SHA-256 of the complete review prompt.
  reviewed text,
  review_digest text,
  -- Codes of what the checks found.
  checks text[] not null,
  decision text constraint generations_decision check (
    decision in (
      'suggested', 'pending', 'queued', 'blocked', 'handed_off', 'nothing', 'outdated', 'sent_by_person', 'edited',
      'dropped', 'withdrawn', 'failed', 'saved'
    )
  ),
  reason text,
  message_id text collate "C",
  approver jsonb,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id),
  constraint generations_version foreign key (workspace_id, persona_id, persona_version)
    references persona_versions (workspace_id, persona_id, version),
  constraint generations_contact foreign key (workspace_id, contact_id) references contacts (workspace_id, id),
  constraint generations_call foreign key (workspace_id, call_id) references calls (workspace_id, id),
  constraint generations_subject check (
    case when call_id is null then persona_id is not null and persona_version is not null and contact_id is not null
      else persona_id is null end
  )
);
create index generations_by_contact on generations (workspace_id, contact_id, id);
create index generations_by_call on generations (workspace_id, call_id, id) where call_id is not null;
create index generations_by_persona on generations (workspace_id, persona_id, id);
create index generations_by_decision on generations (workspace_id, decision, id);
create index generations_by_message on generations (workspace_id, message_id) where message_id is not null;
-- Generations that retention still has to erase.
create index generations_kept on generations (workspace_id, id) where proposal is not null or material is not null;
create index generations_pending on generations (workspace_id, id) where decision = 'pending';
select make_tenant_table('generations');
grant select, insert, update on generations to gable_app;
select mark_columns('generations', 'personal: erased', 'material', 'proposal', 'reviewed');
select mark_columns(
  'generations', 'not personal: codes, and digests', 'model', 'prompt_digest', 'review_digest', 'checks', 'reason'
);
select mark_columns('generations', 'personal: kept, names who decided, not the contact', 'approver');
create policy reach on generations as restrictive to gable_member using (
  (select true from contacts c where c.workspace_id = current_setting('gable.workspace_id', true) and c.id = contact_id)
  or contact_id is null and
    (select true from calls c where c.workspace_id = current_setting('gable.workspace_id', true) and c.id = call_id)
) with check (true);
