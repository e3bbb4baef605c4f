-- What messages are sent through: provider accounts, their phone numbers and email addresses, and WhatsApp templates.

-- A provider account. A directory table, because a callback identifies it before the workspace is known.
create table connections (
  id text collate "C" primary key,
  workspace_id text collate "C" not null,
  provider text not null constraint connections_provider check (
    provider in ('twilio', 'whatsapp', 'email', 'documenso', 'docusign', 'retell')
  ),
  name text not null,
  -- The provider's name for the account: an account SID, a business account, a mail server.
  account text not null,
  settings jsonb not null,
  -- Whether it is an account with the simulated carrier.
  simulated boolean not null,
  -- Credentials, sealed with the application's secret.
  secret bytea not null,
  -- Also verifies callbacks until the given time.
  previous_secret bytea,
  previous_secret_until timestamptz(3),
  -- Since when the provider rejects the credentials. Outgoing messages wait.
  credentials_rejected_at timestamptz(3),
  -- When a callback was last rejected.
  callback_rejected_at timestamptz(3),
  -- When a person last tested the credentials successfully.
  tested_at timestamptz(3),
  -- Since when it has no credentials. It opens no account and accepts no callbacks.
  disconnected_at timestamptz(3),
  -- Everything received before this time has been recorded, including messages whose callback was lost.
  swept_at timestamptz(3) not null,
  -- For mailboxes: the read position, when a worker may read next, and how often and why reading has failed since the
  -- last success.
  mailbox_position text,
  mailbox_due_at timestamptz(3) not null,
  mailbox_failures smallint not null,
  mailbox_error text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
comment on table connections is 'directory';
create index connections_by_workspace on connections (workspace_id, id);
grant select, insert, update on connections to gable_app;
select mark_columns('connections', 'not personal: the account of a brokerage', 'name', 'account', 'settings');
select mark_columns('connections', 'not personal', 'secret', 'previous_secret', 'mailbox_position', 'mailbox_error');

-- A phone number or email address of the workspace, with its registration status at the provider and the carriers.
create table senders (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  connection_id text collate "C" not null,
  channel text not null constraint senders_channel check (channel in ('SMS', 'WHATSAPP', 'EMAIL')),
  kind text not null constraint senders_kind check (kind in ('10dlc', 'tollfree', 'shortcode', 'whatsapp', 'email')),
  -- A number in E.164, the digits of a short code, or a lowercase email address.
  address text collate "C" not null,
  name text,
  -- Registration details, depending on the kind: brand, campaign, and number; verification; status; domain
  -- authentication.
  registration jsonb not null,
  -- The campaign and brand whose limits it shares with other senders.
  campaign text collate "C",
  -- Segments per minute across all senders of the campaign, repeated on each of them. Null for no limit.
  campaign_pace integer constraint senders_campaign_pace check (campaign_pace > 0),
  brand text collate "C",
  -- Segments per day across all senders of the brand, repeated on each of them. Null for no limit.
  brand_daily_limit integer constraint senders_brand_daily_limit check (brand_daily_limit > 0),
  -- Segments per second, or messages per second on channels without segments.
  pace double precision not null constraint senders_pace check (pace > 0),
  -- Used if a message names no sender.
  is_default boolean not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id),
  constraint senders_address unique (workspace_id, channel, address)
);
create unique index senders_default on senders (workspace_id, channel) where is_default;
select make_tenant_table('senders');
grant select, insert, update on senders to gable_app;
select mark_columns('senders', 'not personal: a number or an address of the brokerage', 'address', 'name');
select mark_columns('senders', 'not personal', 'registration', 'campaign', 'brand');

-- Texts that WhatsApp has approved or is reviewing.
create table message_templates (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  connection_id text collate "C" not null,
  name text collate "C" not null,
  language text collate "C" not null,
  category text not null,
  status text not null,
  body text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id),
  constraint message_templates_name unique (workspace_id, connection_id, name, language)
);
select make_tenant_table('message_templates');
grant select, insert, update on message_templates to gable_app;
select mark_columns('message_templates', 'not personal: the same for everyone', 'body');
select mark_columns('message_templates', 'not personal', 'name', 'language', 'category', 'status');
