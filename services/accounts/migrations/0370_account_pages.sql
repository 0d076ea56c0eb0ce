-- expand: remote accounts by their pages, because the path of a page need not contain the handle, and its host may differ
create index concurrently if not exists accounts_page on accounts (url) where domain is not null;
