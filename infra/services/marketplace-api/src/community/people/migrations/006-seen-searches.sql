-- When an account last opened a saved search, and which vehicles it had seen then: the newest arrival, and the inventory that numbers it.
ALTER TABLE bookmarks ADD COLUMN opened_at INTEGER;
ALTER TABLE bookmarks ADD COLUMN seen_row INTEGER;
ALTER TABLE bookmarks ADD COLUMN inventory TEXT;
