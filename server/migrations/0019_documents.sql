-- Documents that people sign through a provider.

create table documents (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  title text,
  deal_id text collate "C",
  owner_id text collate "C",
  connection_id text collate "C" not null,
  provider text not null constraint documents_provider check (provider in ('documenso', 'docusign')),
  template_id text collate "C",
  -- Null until the document exists at the provider.
  provider_document_id text collate "C",
  -- json, because jsonb reorders members.
  signers json not null,
  status text not null constraint documents_status check (
    status in ('draft', 'sent', 'viewed', 'signed', 'declined', 'voided', 'expired')
  ),
  sent_at timestamptz(3),
  signed_at timestamptz(3),
  void_requested_at timestamptz(3),
  void_reason text,
  -- Why the last request to the provider failed.
  error json,
  file_id text collate "C",
  file_stored_at timestamptz(3),
  created_by json not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  erased_at timestamptz(3),
  -- When to check the document next; null for never.
  look_at timestamptz(3),
  primary key (workspace_id, id),
  constraint documents_deal foreign key (workspace_id, deal_id) references deals (workspace_id, id),
  constraint documents_owner foreign key (workspace_id, owner_id) references members (workspace_id, id)
);
select mark_columns('documents', 'personal: erased', 'title', 'void_reason');
select mark_columns('documents', 'personal: kept, an erasure takes out the contact and leaves the other signers', 'signers');
select mark_columns('documents', 'not personal', 'error');
select mark_columns('documents', 'personal: kept, names who acted, not the contact', 'created_by');

create index documents_by_deal on documents (workspace_id, deal_id, id) where deal_id is not null;
create index documents_by_owner on documents (workspace_id, owner_id, id);
create index documents_by_status on documents (workspace_id, status, id);
create index documents_by_provider on documents (workspace_id, connection_id, provider_document_id);
create index documents_by_look on documents (workspace_id, look_at) where look_at is not null;

-- The signers of documents: contacts, and the email addresses of others. Lists and erasures look up documents here.
create table document_persons (
  workspace_id text collate "C" not null,
  -- A contact ID or a lowercase email address.
  person text collate "C" not null,
  document_id text collate "C" not null,
  primary key (workspace_id, person, document_id),
  constraint document_persons_document foreign key (workspace_id, document_id)
    references documents (workspace_id, id)
);
create index document_persons_of on document_persons (workspace_id, document_id);
select mark_columns('document_persons', 'personal: erased', 'person');

select make_tenant_table('documents');
select make_tenant_table('document_persons');

create policy reach on documents as restrictive to gable_member
  using (owner_id = any ((select members_in_reach())::text[])) with check (true);
create policy reach on document_persons as restrictive to gable_member using (
  (select true from documents d
    where d.workspace_id = current_setting('gable.workspace_id', true) and d.id = document_id)
) with check (true);

grant select, insert, update on documents to gable_app;
grant select, insert, delete on document_persons to gable_app;
