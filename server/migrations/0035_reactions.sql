-- A text that is a reaction to a message, such as `Liked “…”`.
alter table messages add column reaction jsonb;
select mark_columns('messages', 'not personal: an emoji', 'reaction');

-- What a person responded to their last invitation.
alter table appointment_invitations add column response text
  constraint appointment_invitations_response check (response in ('accepted', 'declined', 'tentative'));
alter table appointment_invitations add column responded_at timestamptz(3);
