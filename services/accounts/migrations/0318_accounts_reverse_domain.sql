-- expand: the planner knows how many accounts a domain has, which the statistics of a partial index do not say
create statistics if not exists accounts_reverse_domain on (reverse(domain)) from accounts;
-- Not while the table is empty, because plans made for an empty table read all rows until the next analyze.
do $$ begin
  if exists (select from accounts) then analyze accounts; end if;
end $$;
