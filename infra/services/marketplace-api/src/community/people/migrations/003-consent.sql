-- Nothing is mailed to an address before somebody who reads it has confirmed a subscription.
ALTER TABLE alerts ADD COLUMN confirmed_at INTEGER;
UPDATE alerts SET confirmed_at = created_at;
ALTER TABLE captures ADD COLUMN confirmed_at INTEGER;
UPDATE captures SET confirmed_at = created_at;
CREATE INDEX alerts_unconfirmed ON alerts (created_at) WHERE confirmed_at IS NULL;

-- Budgets count by mailbox, a hash of the address without tag, dots and case, and by the account that causes a mail.
ALTER TABLE mails ADD COLUMN mailbox TEXT;
ALTER TABLE mails ADD COLUMN account TEXT;
DROP INDEX mails_recipient;
CREATE INDEX mails_mailbox ON mails (mailbox, kind, created_at);
CREATE INDEX mails_account ON mails (account, kind, created_at) WHERE account IS NOT NULL;

-- Mailboxes by hash: the token of their opt-out link, and why they get no mail any more.
CREATE TABLE mailboxes (
  mailbox TEXT PRIMARY KEY,
  token TEXT NOT NULL UNIQUE,
  -- 'declined' or 'bounced'
  refusal TEXT,
  refused_at INTEGER
) WITHOUT ROWID;
