-- Messages, their conversations, and the outbox.

-- The messages between one of the workspace's senders and one outside address.
create table conversations (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  sender_id text collate "C" not null,
  channel text collate "C" not null constraint conversations_channel check (channel in ('SMS', 'WHATSAPP', 'EMAIL')),
  -- The outside address. Null once the contact has been erased.
  address text collate "C",
  contact_id text collate "C",
  -- The contact's owner, which determines who sees it.
  owner_id text collate "C",
  last_message_id text collate "C" not null,
  last_message_at timestamptz(3) not null,
  last_inbound_at timestamptz(3),
  last_outbound_at timestamptz(3),
  -- The AI's suggested response to the last message.
  suggestion jsonb,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id),
  constraint conversations_sender foreign key (workspace_id, sender_id) references senders (workspace_id, id),
  constraint conversations_contact foreign key (workspace_id, contact_id) references contacts (workspace_id, id),
  -- Also finds the conversations of all senders with an address.
  constraint conversations_address unique (workspace_id, address, sender_id)
);
create index conversations_by_contact on conversations (workspace_id, contact_id, id);
create index conversations_by_channel on conversations (workspace_id, channel, id);
create index conversations_by_owner on conversations (workspace_id, owner_id, channel, id) where owner_id is not null;
-- Candidates for erasure by retention.
create index conversations_suggested on conversations (workspace_id, id) where suggestion is not null;
select make_tenant_table('conversations');
grant select, insert, update on conversations to gable_app;
select mark_columns('conversations', 'personal: erased', 'address', 'suggestion');

create table messages (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  -- Null if no sender could send it.
  conversation_id text collate "C",
  contact_id text collate "C",
  -- The contact's owner, which determines who sees it.
  owner_id text collate "C",
  sender_id text collate "C",
  connection_id text collate "C",
  channel text collate "C" not null constraint messages_channel check (channel in ('SMS', 'WHATSAPP', 'EMAIL')),
  direction text collate "C" not null constraint messages_direction check (direction in ('INBOUND', 'OUTBOUND')),
  status text collate "C" not null constraint messages_status check (
    status in (
      'scheduled', 'queued', 'sending', 'sent', 'delivered', 'read', 'blocked', 'cancelled', 'failed', 'undelivered',
      'unknown', 'pending_approval', 'received'
    )
  ),
  "from" text collate "C",
  "to" text collate "C",
  subject text,
  body text,
  body_html text,
  template jsonb,
  -- The invitation that an email carries, as iCalendar.
  calendar text,
  purpose text constraint messages_purpose check (purpose in ('outbound', 'reply')),
  message_class text not null constraint messages_class check (message_class in ('marketing', 'transactional')),
  kind text not null constraint messages_kind check (kind in ('standard', 'opt_out_confirmation', 'help')),
  source text not null constraint messages_source check (
    source in ('user', 'api', 'automation', 'campaign', 'ai', 'inbound', 'system')
  ),
  -- The campaign that it belongs to.
  campaign_id text collate "C",
  ai_generated boolean not null,
  -- The persona that the AI used.
  persona_id text collate "C",
  -- Who sent a text that the AI wrote.
  approved_by jsonb,
  -- Whether an inbound message was sent by a machine, such as an out-of-office reply.
  automatic boolean not null,
  -- Who sent it; null for inbound messages.
  actor jsonb,
  segments smallint,
  -- Whether it is delayed if only the allowed hours block it.
  waits_for_hours boolean not null,
  -- The last verdict of the compliance gates: reasons, rules, time zones, and local times.
  compliance jsonb,
  error jsonb,
  resend_of text collate "C",
  -- The email that it replies to.
  reply_to_message_id text collate "C",
  provider_message_id text collate "C",
  scheduled_at timestamptz(3),
  sent_at timestamptz(3),
  delivered_at timestamptz(3),
  read_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  erased_at timestamptz(3),
  primary key (workspace_id, id),
  constraint messages_conversation foreign key (workspace_id, conversation_id) references conversations (workspace_id, id),
  constraint messages_contact foreign key (workspace_id, contact_id) references contacts (workspace_id, id),
  constraint messages_sender foreign key (workspace_id, sender_id) references senders (workspace_id, id)
);
create index messages_by_contact on messages (workspace_id, contact_id, id);
create index messages_by_conversation on messages (workspace_id, conversation_id, id);
create index messages_by_status on messages (workspace_id, status, channel, id);
-- The latest message to each contact and its status.
create index messages_by_campaign on messages (workspace_id, campaign_id, contact_id, id) include (status)
where campaign_id is not null;
create index messages_by_owner on messages (workspace_id, owner_id, channel, direction, id) where owner_id is not null;
create index messages_by_owner_and_status on messages (workspace_id, owner_id, status, channel, id)
where owner_id is not null;
-- Messages that an erasure cannot find otherwise.
create index messages_unlinked on messages (workspace_id, "to") where conversation_id is null and contact_id is null;
-- Finds out whether a message has been resent.
create index messages_resent on messages (workspace_id, resend_of) where resend_of is not null;
-- Deduplicates: a provider may report a message twice.
create unique index messages_provided on messages (workspace_id, connection_id, provider_message_id)
where provider_message_id is not null;
select make_tenant_table('messages');
grant select, insert, update on messages to gable_app;
select mark_columns(
  'messages', 'personal: erased', 'from', 'to', 'subject', 'body', 'body_html', 'template', 'calendar', 'error'
);
select mark_columns('messages', 'personal: kept, names who acted, not the contact', 'actor', 'approved_by');
select mark_columns('messages', 'not personal: codes, rules and zones', 'compliance');
select mark_columns('messages', 'not personal', 'provider_message_id', 'resend_of', 'reply_to_message_id');

-- Each attempt to hand a message to a provider. The attempt ID travels with the message, and callbacks quote it.
create table message_attempts (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  message_id text collate "C" not null,
  began_at timestamptz(3) not null,
  ended_at timestamptz(3),
  outcome text constraint message_attempts_outcome check (outcome in ('taken', 'rejected', 'later', 'unknown')),
  -- The provider's error code and text, without the message content.
  detail jsonb,
  primary key (workspace_id, id),
  constraint message_attempts_message foreign key (workspace_id, message_id) references messages (workspace_id, id)
);
create index message_attempts_by_message on message_attempts (workspace_id, message_id, id);
select make_tenant_table('message_attempts');
grant select, insert, update on message_attempts to gable_app;
select mark_columns('message_attempts', 'personal: erased', 'detail');

-- The progress of a workspace's message retention: all messages before this ID have been erased.
create table message_retention (
  workspace_id text collate "C" primary key,
  erased_before text collate "C" not null
);
select make_tenant_table('message_retention');
grant select, insert, update on message_retention to gable_app;
select mark_columns('message_retention', 'not personal: the id of a message', 'erased_before');

-- Messages of the contacts of members within reach. Messages with other contacts or without a contact are hidden. Uses
-- a subquery, which the planner hashes; with an array, each row would be compared with every member of a team.
create policy reach on conversations as restrictive to gable_member
  using (owner_id in (select unnest(members_in_reach()))) with check (true);
create policy reach on messages as restrictive to gable_member
  using (owner_id in (select unnest(members_in_reach()))) with check (true);
create policy reach on message_attempts as restrictive to gable_member using (
  (select true from messages m where m.workspace_id = current_setting('gable.workspace_id', true) and m.id = message_id)
) with check (true);

-- Messages that are due, and started ones whose outcome is open. The row is deleted once the outcome is known.
create table outbox (
  workspace_id text collate "C" not null,
  message_id text collate "C" not null,
  sender_id text collate "C" not null,
  -- The keyed hash of channel and destination address. One message at a time is sent to a recipient.
  recipient text collate "C" not null,
  -- 0 for people and replies, 1 for automations, 2 for campaigns.
  lane smallint not null,
  -- What it consumes of the sender's pace.
  segments smallint not null,
  state text not null constraint outbox_state check (state in ('waiting', 'sending', 'unknown')),
  due_at timestamptz(3) not null,
  -- Attempts started, and turns that the allowed hours blocked.
  attempts smallint not null,
  turns smallint not null,
  attempt_id text collate "C",
  began_at timestamptz(3),
  -- Set while an attempt is in flight: what becomes of the message if it would have to be sent again.
  on_return text constraint outbox_on_return check (on_return in ('cancel', 'hold')),
  created_at timestamptz(3) not null,
  primary key (workspace_id, message_id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
create index outbox_due on outbox (workspace_id, sender_id, lane, due_at, message_id) where state = 'waiting';
create index outbox_begun on outbox (began_at) where state = 'sending';
create index outbox_unclear on outbox (due_at) where state = 'unknown';
create index outbox_by_recipient on outbox (workspace_id, recipient, message_id);
-- Prevents two workers from sending to the same recipient concurrently, whatever each has read.
create unique index outbox_one_at_a_time on outbox (workspace_id, recipient) where state = 'sending';

-- Token buckets of senders, campaigns, and brands. A brand's bucket holds the amount spent on the day of refilled_at,
-- as a negative number.
create table pace_buckets (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  tokens real not null,
  refilled_at timestamptz(3) not null,
  primary key (workspace_id, id)
) with (fillfactor = 50);

-- Erased messages that a provider still stores. The row is deleted once the provider has deleted the message.
create table message_removals (
  workspace_id text collate "C" not null,
  message_id text collate "C" not null,
  connection_id text collate "C" not null,
  provider_message_id text collate "C" not null,
  due_at timestamptz(3) not null,
  attempts smallint not null,
  created_at timestamptz(3) not null,
  primary key (workspace_id, message_id)
);
create index message_removals_due on message_removals (workspace_id, due_at);

select make_tenant_table('outbox');
select make_tenant_table('pace_buckets');
select make_tenant_table('message_removals');
comment on table outbox is 'queue';
comment on table pace_buckets is 'queue';
comment on table message_removals is 'queue';
grant select, insert, update, delete on outbox, pace_buckets, message_removals to gable_app;
select mark_columns('outbox', 'personal: erased', 'recipient');
select mark_columns('pace_buckets', 'not personal', 'tokens');
select mark_columns('message_removals', 'not personal', 'provider_message_id');

-- The sending worker finds due rows in all workspaces, then acts in one workspace at a time as gable_app.
create policy sender on outbox for select to gable_sender using (true);
grant select on outbox to gable_sender;
