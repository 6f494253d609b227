-- How many mails a mailbox was sent of late.
CREATE INDEX mails_recipient ON mails (kind, lower(recipient), created_at);
