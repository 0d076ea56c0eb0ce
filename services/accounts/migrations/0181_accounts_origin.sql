-- expand: accounts are found by the server that their actor id names, so that its followers of somebody with very many are
create index concurrently if not exists accounts_origin on accounts (substring(uri from '^https?://[^/?#]+'));
