-- Artifacts of earlier releases.
UPDATE artifact SET account_id = json_extract(payload, '$.accountId');
