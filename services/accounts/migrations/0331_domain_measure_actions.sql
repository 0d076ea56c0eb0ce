-- expand: the action of the last order about a domain block, so that other blocks of a domain apply again after one was removed

alter table domain_measures
  -- suspend, unsuspend, silence or unsilence
  add column action text,
  -- without subdomains
  add column exact boolean,
  -- The order to which action and exact belong. Older processes change only "order", which makes both of them void.
  add column action_order bigint;
