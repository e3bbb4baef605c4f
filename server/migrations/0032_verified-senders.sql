-- Emails whose sender is not verified, and mailboxes whose server does not verify.

-- Whether the author of a received email is verified. Null for other messages.
alter table messages add column sender_verified boolean;

-- When an email was last read without results of the mail server; null after one that has them.
alter table connections add column authentication_missing_at timestamptz(3);

-- A request by the person replaces one by an email of an unverified sender.
grant update (source) on suppressions to gable_app;
