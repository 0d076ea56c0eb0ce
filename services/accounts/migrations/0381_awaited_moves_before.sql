-- move: new accounts that are not stored, from accounts.moved_to_uri to awaited_moves

-- These rows are few, and an index finds them. Processes of the previous release store further ones in moved_to_uri until the account is
-- fetched again.
with due as materialized (
    select a.id, a.moved_to_uri from accounts a
      where a.moved_to_uri is not null and a.moved_to_id is null
        and not exists (select 1 from accounts t where t.uri = a.moved_to_uri)
      order by a.id for update of a),
  stored as (insert into awaited_moves (account_id, uri) select id, moved_to_uri from due order by id on conflict do nothing)
update accounts a set moved_to_uri = null from due where a.id = due.id;
